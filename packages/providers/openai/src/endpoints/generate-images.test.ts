import { expect, it } from 'vitest'
import { createOpenAI } from '../create-openai.ts'

it('generateImages returns URLs or bytes, and fails on a document without images', async () => {
  const answers: unknown[] = [{ data: [{ url: 'https://x' }, { b64_json: 'QQ==' }] }, { data: [] }]
  const seen: unknown[] = []
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    seen.push([String(url), JSON.parse(init?.body as string)])
    return Response.json(answers.shift())
  }
  const provider = createOpenAI({ apiKey: 'k', fetch, retry: { maxRetries: 0 } })
  expect(await provider.generateImages({ model: 'i', prompt: 'a cat', options: { size: 's' } })).toEqual([
    'https://x',
    'QQ==',
  ])
  expect(seen).toEqual([['https://api.openai.com/v1/images/generations', { size: 's', model: 'i', prompt: 'a cat' }]])
  await expect(provider.generateImages({ model: 'i', prompt: 'a cat' })).rejects.toMatchObject({ code: 'model-stream' })
})
