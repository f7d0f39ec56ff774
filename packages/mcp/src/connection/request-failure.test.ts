import { expect, it } from 'vitest'
import { asCause, toRequestFailure } from './request-failure.ts'

const redact = (text: string): string => text.replaceAll('planted', '[redacted]')
const lost = new TypeError('fetch failed', { cause: new Error('planted') })

it.each([
  ['a refusal', Object.assign(new Error('MCP error -32000: planted'), { code: -32_000 })],
  ['a lost connection', lost],
  ['another error', new Error('planted')],
  ['a text', 'planted'],
])('the detail of %s contains no secret that the server quotes', (_, error) => {
  const failure = toRequestFailure(error, redact)
  expect(failure).toMatchObject({ detail: expect.stringContaining('[redacted]') as string })
  expect(JSON.stringify(failure)).not.toContain('planted')
})

it('asCause drops a cause that quotes a secret', () => {
  const harmless = new Error('closed')
  expect(asCause(harmless, redact)).toEqual({ cause: harmless })
  expect(asCause(new Error('planted'), redact)).toEqual({})
})
