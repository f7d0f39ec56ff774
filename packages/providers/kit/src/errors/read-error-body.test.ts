import { describe, expect, it } from 'vitest'
import { readErrorBody } from './read-error-body.ts'

describe('readErrorBody', () => {
  it.each([
    [{ error: { message: 'words', type: 't', code: 'c' } }, 'words'],
    [{ type: 'error', error: { type: 't', message: 'words' } }, 'words'],
    [[{ error: { code: 400, message: 'words', status: 'INVALID_ARGUMENT' } }], 'words'],
    [{ error: 'words' }, 'words'],
    [{ code: 'c', error: 'words' }, 'words'],
    [{ detail: 'words' }, 'words'],
    [{ object: 'error', message: 'words', type: 'BadRequestError', code: 400 }, 'words'],
    [{ error: { message: 'words', metadata: { raw: 'of the server behind' } } }, 'words of the server behind'],
    [{ error: { message: 'words', failed_generation: '{"name":' } }, 'words {"name":'],
    [{ detail: [{ msg: 'missing' }] }, '[{"msg":"missing"}]'],
    [{ odd: true }, '{"odd":true}'],
  ])('readErrorBody finds the message in %j', (body, words) => {
    expect(readErrorBody(JSON.stringify(body)).message).toBe(words)
  })

  it('readErrorBody reads plain text and the text of an HTML page', () => {
    expect(readErrorBody('upstream  is\ngone').message).toBe('upstream is gone')
    expect(readErrorBody('<html><h1>502 Bad Gateway</h1></html>').message).toBe('502 Bad Gateway')
    expect(readErrorBody('').message).toBe('')
  })

  it('readErrorBody finds the wait that a body asks for', () => {
    expect(readErrorBody({ error: { message: 'Please try again in 6m0.5s.' } }).retryAfterMs).toBe(360_500)
    expect(readErrorBody({ error: { message: 'Please try again in 20ms' } }).retryAfterMs).toBe(20)
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' }]
    expect(readErrorBody({ error: { message: 'Later.', details } }).retryAfterMs).toBe(48_000)
    expect(readErrorBody({ error: { message: 'Later.' } }).retryAfterMs).toBeUndefined()
  })
})
