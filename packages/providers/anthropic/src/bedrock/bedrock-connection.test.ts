import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelEvent } from '@parley/core'
import { createUndiciFetch } from '@parley/provider-kit/undici'
import { describe, expect, it } from 'vitest'
import { answers } from '../__fixtures__/answers.ts'
import { toEventStream } from '../__fixtures__/event-stream.ts'
import { createAnthropic } from '../create-anthropic.ts'
import { createBedrockPlatform } from './create-bedrock-platform.ts'

const [text = ''] = Object.values(answers)
const BYTES = toEventStream(text)
const TYPE = { 'content-type': 'application/vnd.amazon.eventstream' }

async function serve(handler: RequestListener) {
  const closed = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.on('close', closed.resolve)
    handler(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed: closed.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function connect(baseUrl: string, fetch?: ReturnType<typeof createUndiciFetch>) {
  const platform = createBedrockPlatform({ credentials: { accessKeyId: 'a', secretAccessKey: 's' } })
  const model = createAnthropic({ platform, baseUrl, fetch, retry: { maxRetries: 0 } }).model('anthropic.claude-x')
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  return (signal?: AbortSignal) => model.stream({ system: [], messages, tools: [], settings: {} }, { signal })
}

async function collect(stream: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('a connection to Bedrock', () => {
  it('every transport reads a Bedrock stream that arrives byte by byte', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, TYPE)
      for (let at = 0; at < BYTES.length; at += 7) response.write(BYTES.subarray(at, at + 7))
      response.end()
    })
    const events = await collect(connect(server.baseUrl)())
    expect(events.at(-1)?.type).toBe('finish')
    expect(await collect(connect(server.baseUrl, createUndiciFetch())())).toEqual(events)
  })

  it('a Bedrock call throws the reason of the signal when it is aborted, and closes the socket', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, TYPE)
      response.write(BYTES.subarray(0, BYTES.length / 2))
    })
    const controller = new AbortController()
    const reading = (async () => {
      for await (const _ of connect(server.baseUrl)(controller.signal)) controller.abort('enough')
    })()
    await expect(reading).rejects.toBe('enough')
    await server.closed
  })
})
