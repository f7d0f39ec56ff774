import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import { readErrorBody } from './read-error-body.ts'

function classify(status: number | undefined, body: unknown): string {
  const read = readErrorBody(body)
  return classifyError({ ...read, status: status ?? read.status })
}

describe('classifyError', () => {
  it.each([
    [401, { error: { message: 'No.', code: 'invalid_api_key' } }, 'model-auth'],
    [
      400,
      { error: { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } },
      'model-auth',
    ],
    [400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided' }, 'model-auth'],
    [403, { error: { message: 'No.' } }, 'model-permission'],
    [404, { error: { message: 'No such model.' } }, 'model-not-found'],
    [400, { error: { message: 'No such model.', code: 'model_not_found' } }, 'model-not-found'],
    [429, { error: { message: 'Slow down.' } }, 'model-rate-limited'],
    [429, { error: { message: 'You ran out.', code: 'insufficient_quota' } }, 'model-quota'],
    [402, { error: { message: 'Insufficient balance.' } }, 'model-quota'],
    [400, { error: { message: 'Filtered.', code: 'content_filter' } }, 'model-content-filter'],
    [400, { error: { message: 'Bad field.', type: 'invalid_request_error' } }, 'model-invalid-request'],
    [409, { error: { message: 'Conflict.' } }, 'model-invalid-request'],
    [413, { error: { message: 'Body too large.' } }, 'model-invalid-request'],
    [422, { detail: [{ msg: 'field required' }] }, 'model-invalid-request'],
    [408, '', 'model-timeout'],
    [504, '<html><title>Gateway timeout</title></html>', 'model-timeout'],
    [503, { error: { message: 'Busy.' } }, 'model-overloaded'],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'model-overloaded'],
    [500, { error: { message: 'Oops.' } }, 'model-server'],
    [502, '<html>Bad Gateway</html>', 'model-server'],
  ])('classifyError returns for status %d and %j: %s', (status, body, code) => {
    expect(classify(status, body)).toBe(code)
  })

  it.each([
    [400, { error: { message: "This model's maximum context length is 10 tokens." } }],
    [500, { error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } }],
    [413, { error: { message: 'Prompt is too long: 12 tokens > 10 maximum' } }],
    [400, { error: { message: 'Too big.', type: 'too_many_prompt_tokens' } }],
    [400, { error: { message: 'Prompt too large for model with 4096 maximum context length' } }],
  ])('classifyError returns model-context-length for status %d and %j', (status, body) => {
    expect(classify(status, body)).toBe('model-context-length')
  })

  it.each([
    [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'model-overloaded'],
    [{ error: { code: 429, message: 'Slow down.' } }, 'model-rate-limited'],
    [{ error: { type: 'request_too_large', message: 'Too large.' } }, 'model-invalid-request'],
    [{ error: { code: 'tool_use_failed', message: 'No.', status_code: 400 } }, 'model-invalid-request'],
    [{ code: 500, message: 'context shift is disabled', type: 'server_error' }, 'model-server'],
    [{ error: 'something broke' }, 'model-server'],
  ])('classifyError returns, inside a successful stream, for %j: %s', (body, code) => {
    expect(classify(undefined, body)).toBe(code)
  })
})
