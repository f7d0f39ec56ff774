import { HttpCallError } from '@restatedev/restate-sdk-clients'
import { expect, it } from 'vitest'
import { fromCallError, toTerminalError } from './terminal-error.ts'

const INFO = { code: 'approval-forbidden' as const, approvalId: 'a', roles: ['boss'] }

it('a failure keeps its code and fields on the way through Restate', () => {
  const { message, code, metadata } = toTerminalError(INFO)
  const body = JSON.stringify({ code, message, metadata, source: 'invocation' })
  expect(fromCallError(new HttpCallError(code, body, 'Request failed'), 'http://r').info).toEqual(INFO)
})

it.each([
  ['an error of Restate itself', new HttpCallError(404, '{"message":"service not found"}', 'Request failed: 404')],
  ['an error of a proxy', new HttpCallError(502, '<html>', 'Request failed: 502')],
  [
    'metadata that is not a ParleyError',
    new HttpCallError(409, '{"metadata":{"parley":"{\\"code\\":7}"}}', 'failed: 409'),
  ],
  ['a refused connection', new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })],
])('fromCallError names the address for %s', (_, cause) => {
  expect(fromCallError(cause, 'http://r:8080').info).toMatchObject({ code: 'request-invalid', path: 'http://r:8080' })
})
