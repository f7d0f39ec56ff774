import { createAnthropic } from '@parley/anthropic'
import { userMessage, type Model, type RetryPolicy } from '@parley/core'
import { createGoogle } from '@parley/google'
import { createOllama } from '@parley/ollama'
import { createOpenAI } from '@parley/openai'
import type { HttpFetch } from '@parley/provider-kit'
import { describe, expect, it } from 'vitest'

type Open = (options: { readonly retry: RetryPolicy; readonly fetch: HttpFetch }) => Model

const apiKey = 'k'

describe.each<[string, Open]>([
  ['Anthropic', options => createAnthropic({ apiKey, ...options }).model('m')],
  ['Gemini', options => createGoogle({ apiKey, ...options }).model('m')],
  ['Ollama', options => createOllama(options).model('m')],
  ['chat completions', options => createOpenAI({ apiKey, api: 'chat', ...options }).model('m')],
  ['Responses', options => createOpenAI({ apiKey, api: 'responses', ...options }).model('m')],
])('a call of %s', (_, open) => {
  it.each([
    [undefined, 4],
    [{ maxRetries: 1 }, 2],
    [{ maxRetries: 0 }, 1],
  ])('a model call with the retry option %j overrides the option of its provider', async (retry, expected) => {
    let calls = 0
    const fetch: HttpFetch = async () => {
      calls += 1
      return new Response('{}', { status: 500 })
    }
    const model = open({ retry: { maxRetries: 3, initialDelayMs: 0 }, fetch })
    const request = { system: [], messages: [userMessage('Hi.')], tools: [], settings: {} }
    const ask = async (): Promise<void> => {
      for await (const event of model.stream(request, { retry })) void event
    }
    await expect(ask()).rejects.toMatchObject({ code: 'model-server' })
    expect(calls).toBe(expected)
  })
})
