import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { createGoogle } from '../create-google.ts'

interface Batch {
  readonly requests: readonly { readonly content: { readonly parts: readonly { readonly text: string }[] } }[]
}

/** Serves embeddings: the vector of a text contains the length of the text. */
async function serve() {
  const asked: { readonly url: string; readonly body: Batch }[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Batch
    asked.push({ url: request.url ?? '', body })
    const embeddings = body.requests.map(({ content }) => ({ values: [content.parts[0]?.text.length] }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ embeddings }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const open = (url: string) => createGoogle({ baseUrl: `${url}/v1beta`, apiKey: 'k' })

it('embed sends the same request as the official client and returns the same vectors', async () => {
  await using server = await serve()
  const input = ['one', 'other']
  const options = { outputDimensionality: 1, taskType: 'RETRIEVAL_QUERY' }
  const ours = await open(server.url).embed({ model: 'text-embedding-004', input, options })
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } })
  const theirs = await client.models.embedContent({ model: 'text-embedding-004', contents: input, config: options })
  expect(ours).toEqual([[3], [5]])
  expect(theirs.embeddings?.map(({ values }) => values)).toEqual(ours)
  const [first, second] = server.asked
  expect(first?.url).toBe(second?.url)
  const withoutRoles = JSON.parse(JSON.stringify(second?.body).replaceAll('"role":"user",', '')) as unknown
  expect(first?.body).toEqual(JSON.parse(JSON.stringify(withoutRoles).replaceAll(',"role":"user"', '')))
})

it('embed splits a long list into several requests and keeps the order', async () => {
  await using server = await serve()
  const input = Array.from({ length: 230 }, (_, index) => 'x'.repeat(index + 1))
  const vectors = await open(server.url).embed({ model: 'e', input })
  expect(vectors).toEqual(input.map(text => [text.length]))
  expect(server.asked.map(({ body }) => body.requests.length)).toEqual([100, 100, 30])
})

it('embed sends no request without texts, and fails if vectors are missing', async () => {
  const fetch: typeof globalThis.fetch = async () => Response.json({ embeddings: [{ values: [1] }] })
  const provider = createGoogle({ apiKey: 'k', fetch })
  expect(await provider.embed({ model: 'e', input: [] })).toEqual([])
  await expect(provider.embed({ model: 'e', input: ['a', 'b'] })).rejects.toThrow('1 embeddings for 2 texts')
})
