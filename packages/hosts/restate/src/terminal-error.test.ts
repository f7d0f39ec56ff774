import { HttpCallError } from '@restatedev/restate-sdk-clients'
import { expect, it } from 'vitest'
import { fromCallError, toTerminalError } from './terminal-error.ts'

const INFO = { code: 'approval-forbidden' as const, approvalId: 'a', roles: ['boss'] }

it('brings a failure through Restate as what it was', () => {
  const { message, code, metadata } = toTerminalError(INFO)
  const body = JSON.stringify({ code, message, metadata, source: 'invocation' })
  expect(fromCallError(new HttpCallError(code, body, 'Request failed'), 'http://r').info).toEqual(INFO)
})

it.each([
  ['an answer of Restate itself', new HttpCallError(404, '{"message":"service not found"}', 'Request failed: 404')],
  ['an answer of something else', new HttpCallError(502, '<html>', 'Request failed: 502')],
  [
    'data that is no failure of ours',
    new HttpCallError(409, '{"metadata":{"parley":"{\\"code\\":7}"}}', 'failed: 409'),
  ],
  ['no answer', new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })],
])('says for %s which address failed', (_, cause) => {
  expect(fromCallError(cause, 'http://r:8080').info).toMatchObject({ code: 'request-invalid', path: 'http://r:8080' })
})
