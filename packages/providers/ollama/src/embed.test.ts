import { Ollama } from 'ollama'
import { expect, it } from 'vitest'
import { createOllama, type OllamaOptions } from './create-ollama.ts'

/** Creates a `fetch` that answers with `body` and records the requests. */
function answering(body: unknown, status = 200) {
  const asked: { readonly url: string; readonly body: unknown }[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: url as string, body: JSON.parse(init?.body as string) as unknown })
    return Response.json(body, { status })
  }
  const open = (options: OllamaOptions = {}) => createOllama({ baseUrl: 'http://box:1', fetch, ...options })
  return { asked, fetch, open }
}

it('embed sends the same request as the official client and returns the same vectors', async () => {
  const { asked, fetch, open } = answering({ model: 'e', embeddings: [[1, 2], [3]] })
  const input = ['a', 'b']
  const ours = await open({ overflow: 'truncate' }).embed({ model: 'e', input, options: { dimensions: 2 } })
  const { embeddings } = await new Ollama({ host: 'http://box:1', fetch }).embed({ model: 'e', input, dimensions: 2 })
  expect(ours).toEqual(embeddings)
  expect(asked[0]).toEqual(asked[1])
})

it('embed asks the server to reject a text that is too long, and sends the window and keepAlive', async () => {
  const { asked, open } = answering({ embeddings: [[1]] })
  const provider = open({ contextWindow: 2048, keepAlive: '10m' })
  await provider.embed({ model: 'e', input: ['a'], options: { options: { num_thread: 2 } } })
  expect(asked[0]?.body).toEqual({
    model: 'e',
    input: ['a'],
    truncate: false,
    keep_alive: '10m',
    options: { num_ctx: 2048, num_thread: 2 },
  })
})

it('embed sends no request without texts, and fails if vectors are missing', async () => {
  const { asked, open } = answering({ embeddings: [[1]] })
  expect(await open().embed({ model: 'e', input: [] })).toEqual([])
  expect(asked).toEqual([])
  await expect(open().embed({ model: 'e', input: ['a', 'b'] })).rejects.toThrow('1 embeddings for 2 texts')
})

it('embed fails with the code of the reported error', async () => {
  const { open } = answering({ error: 'model "e" not found, try pulling it first' }, 404)
  await expect(open().embed({ model: 'e', input: ['a'] })).rejects.toMatchObject({ code: 'model-not-found' })
})
