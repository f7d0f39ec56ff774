import { describe, expect, it } from 'vitest'
import { createOpenAI } from '../create-openai.ts'

function answering(body: unknown) {
  const seen: { url: string; body: unknown }[] = []
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    seen.push({ url: String(url), body: JSON.parse(init?.body as string) as unknown })
    return Response.json(body)
  }
  return { seen, provider: createOpenAI({ apiKey: 'k', fetch, retry: { maxRetries: 0 } }) }
}

describe('embeddings', () => {
  it('embed returns vectors in the order of the texts, for any order of the server', async () => {
    const { seen, provider } = answering({
      data: [
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ],
    })
    expect(await provider.embed({ model: 'e', input: ['a', 'b'], options: { dimensions: 1 } })).toEqual([[1], [2]])
    expect(seen).toEqual([
      { url: 'https://api.openai.com/v1/embeddings', body: { dimensions: 1, model: 'e', input: ['a', 'b'] } },
    ])
  })

  it('embed fails if vectors are missing', async () => {
    const { provider } = answering({ data: [{ index: 0, embedding: [1] }] })
    await expect(provider.embed({ model: 'e', input: ['a', 'b'] })).rejects.toThrow('1 embeddings for 2 texts')
  })

  it('embed sends a single text as a string, and fails on a document without vectors', async () => {
    const { seen, provider } = answering({ data: [{ embedding: ['x'] }] })
    await expect(provider.embed({ model: 'e', input: ['a'] })).rejects.toMatchObject({ code: 'model-stream' })
    expect(seen[0]?.body).toEqual({ model: 'e', input: 'a' })
  })
})
