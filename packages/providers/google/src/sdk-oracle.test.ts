import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import type { Message, ModelEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { answerOf } from './__fixtures__/answer-of.ts'
import { createGoogle } from './create-google.ts'

const STREAM = [
  { candidates: [{ content: { parts: [{ text: 'Let me see. ', thought: true }], role: 'model' } }] },
  {
    candidates: [
      { content: { parts: [{ text: 'It is ' }, { text: 'warm ☀️', thoughtSignature: 'c2ln' }], role: 'model' } },
    ],
  },
  {
    candidates: [
      {
        content: {
          parts: [
            {
              functionCall: { name: 'weather', id: 'w1', args: { city: 'Oslo', days: [1, 2] } },
              thoughtSignature: 'YQ==',
            },
            { functionCall: { name: 'clock', args: {} } },
          ],
          role: 'model',
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: 30,
      cachedContentTokenCount: 10,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 5,
      totalTokenCount: 42,
    },
  },
]
const BODY = STREAM.map(chunk => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')

interface Served extends AsyncDisposable {
  readonly url: string
  readonly bodies: Record<string, unknown>[]
}

/** Answers every request with the stream. */
async function serve(): Promise<Served> {
  const bodies: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(text) as Record<string, unknown>)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(BODY)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function askOurs(baseUrl: string, messages: readonly Message[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const model = createGoogle({ baseUrl: `${baseUrl}/v1beta`, apiKey: 'k' }).model('gemini-3-flash-preview')
  for await (const event of model.stream({ system: [], messages, tools: [], settings: {} }, {})) events.push(event)
  return events
}

async function askTheirs(baseUrl: string): Promise<GenerateContentResponse[]> {
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl } })
  const chunks: GenerateContentResponse[] = []
  const stream = await client.models.generateContentStream({ model: 'gemini-3-flash-preview', contents: 'hi' })
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

it('createGoogle reads the same answer from the same bytes as the official client', async () => {
  await using server = await serve()
  const events = await askOurs(server.url, [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }])
  const chunks = await askTheirs(server.url)
  const theirs = chunks.flatMap(chunk => chunk.candidates?.[0]?.content?.parts ?? [])
  const textOf = (kind: 'text' | 'reasoning'): string =>
    events.map(event => (event.type === `${kind}.delta` && 'text' in event ? event.text : '')).join('')
  const joined = (thought: boolean): string =>
    theirs.map(part => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
  expect(textOf('text')).toBe(joined(false))
  expect(textOf('reasoning')).toBe(joined(true))
  expect(
    events.flatMap(event => (event.type === 'tool-call' ? [[event.name, JSON.parse(event.arguments) as unknown]] : [])),
  ).toEqual(theirs.flatMap(({ functionCall }) => (functionCall ? [[functionCall.name, functionCall.args]] : [])))
  const used = chunks.at(-1)?.usageMetadata
  const usage = events.find(event => event.type === 'usage')?.usage
  expect((usage?.input ?? 0) + (usage?.cacheRead ?? 0)).toBe(used?.promptTokenCount)
  expect((usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.output ?? 0)).toBe(used?.totalTokenCount)
})

it('createGoogle sends a turn back in the form that the official client keeps', async () => {
  await using server = await serve()
  const question: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] }
  const sdkChat = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } }).chats.create({
    model: 'gemini-3-flash-preview',
  })
  for await (const chunk of await sdkChat.sendMessageStream({ message: 'hi' })) void chunk
  const kept = sdkChat.getHistory().flatMap(({ role, parts }) => (role === 'user' ? [] : (parts ?? [])))

  const answer = answerOf(await askOurs(server.url, [question]))
  await askOurs(server.url, [question, answer])
  const sentBack = server.bodies.at(-1)?.['contents'] as { role: string; parts: unknown[] }[]
  // Thoughts without a signature may be left out.
  expect(sentBack[1]?.parts).toEqual(kept.filter(part => part.thought !== true))
})
