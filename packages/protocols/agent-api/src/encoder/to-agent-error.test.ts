import { errorInfoSchema } from '@parley/core/schema'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { toAgentError, toHttpStatus } from '../index.ts'

const SECRET = '/home/someone/secret'

describe('toAgentError', () => {
  it('toAgentError and toHttpStatus map every error code', () => {
    expect(toAgentError({ code: 'model-timeout', provider: 'p', detail: '', deadline: 'idle', ms: 5 })).toEqual({
      code: 'MODEL_TIMEOUT',
      message: 'The model did not answer in time.',
    })
    expect(toHttpStatus({ code: 'session-busy', sessionId: 's', runId: 'r' })).toBe(409)
    expect(toHttpStatus({ code: 'request-invalid', path: 'n', detail: 'is 6' })).toBe(400)
    expect(toHttpStatus({ code: 'run-unknown', runId: 'r' })).toBe(404)
    // Core declares its schemas without zod's types.
    const { options } = errorInfoSchema as unknown as z.ZodDiscriminatedUnion<
      z.ZodObject<{ code: z.ZodLiteral<string> }>[]
    >
    for (const option of options) {
      const status = toHttpStatus({ code: option.shape.code.value } as never)
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  it.each([
    { code: 'internal', detail: SECRET },
    { code: 'model-server', provider: SECRET, model: SECRET, requestId: SECRET, detail: SECRET },
    { code: 'tool-failed', tool: 't', detail: SECRET },
    { code: 'run-failed', agent: 'a', runId: 'r', status: 'failed', detail: SECRET },
    { code: 'store-unavailable', store: SECRET, detail: SECRET },
    { code: 'file-unreadable', path: SECRET, detail: SECRET },
    { code: 'path-refused', path: SECRET, reason: 'outside', detail: SECRET },
    { code: 'config-invalid', path: SECRET, detail: SECRET },
    { code: 'mcp-server-failed', server: 's', detail: SECRET },
    { code: 'agent-request-failed', url: SECRET, detail: SECRET },
  ] as const)('toAgentError hides the internals of $code', info => {
    expect(toAgentError(info).message).not.toContain(SECRET)
  })
})
