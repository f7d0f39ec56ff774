import type { ErrorInfo } from '@parley/core'
import { expect, it } from 'vitest'
import { fallsThrough } from './is-retryable.ts'

const model = { provider: 'acme', detail: '' }

it('fallsThrough accepts failures that another model may not share', () => {
  for (const code of [
    'model-network',
    'model-overloaded',
    'model-rate-limited',
    'model-server',
    'model-stream',
  ] as const)
    expect(fallsThrough({ code, ...model })).toBe(true)
  for (const deadline of ['connect', 'first-byte', 'idle', 'total', 'server'] as const)
    expect(fallsThrough({ code: 'model-timeout', ...model, deadline })).toBe(true)
})

it('fallsThrough rejects failures caused by the request, the key or the account', () => {
  const codes = [
    'model-auth',
    'model-permission',
    'model-not-found',
    'model-quota',
    'model-context-length',
    'model-content-filter',
    'model-unsupported',
  ] as const
  for (const code of codes) expect(fallsThrough({ code, ...model })).toBe(false)
  const conflict: ErrorInfo = { code: 'model-invalid-request', ...model, status: 409 }
  expect(fallsThrough(conflict)).toBe(false)
  expect(fallsThrough({ code: 'cancelled', kind: 'user' })).toBe(false)
})
