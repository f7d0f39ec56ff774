import { userMessage } from '@parley/core'
import { expect, it } from 'vitest'
import { createGoogle } from './create-google.ts'

it('a call that says how often it is made again is made as often, whatever its provider was given', async () => {
  let calls = 0
  const fetch: typeof globalThis.fetch = async () => {
    calls += 1
    return new Response('{}', { status: 500 })
  }
  const retry = { maxRetries: 3, initialDelayMs: 0 }
  const models = [createGoogle({ apiKey: 'k', retry, fetch }).model('m')]
  const request = { system: [], messages: [userMessage('Hi.')], tools: [], settings: {} }
  for (const model of models) {
    for (const [given, expected] of [
      [undefined, 4],
      [{ maxRetries: 1 }, 2],
      [{ maxRetries: 0 }, 1],
    ] as const) {
      calls = 0
      const ask = async (): Promise<void> => {
        for await (const event of model.stream(request, { retry: given })) void event
      }
      await expect(ask()).rejects.toMatchObject({ code: 'model-server' })
      expect(calls).toBe(expected)
    }
  }
})
