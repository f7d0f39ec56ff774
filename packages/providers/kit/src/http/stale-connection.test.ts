import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createUndiciFetch } from '../undici/create-undici-fetch.ts'
import { createHttp } from './create-http.ts'

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a":"b"}'

/** Answers the first request of each connection, and resets the connection when another request arrives on it. */
async function serveOncePerConnection() {
  let resets = 0
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    let received = ''
    socket.on('data', chunk => {
      received += chunk.toString()
      if (received.endsWith('\r\n\r\n{}') && socket.bytesWritten === 0) {
        received = ''
        socket.write(ANSWER)
      } else if (received !== '' && socket.bytesWritten > 0) {
        resets += 1
        socket.resetAndDestroy()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    resets: () => resets,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

it.each([
  ['what there is by itself', undefined],
  ['fetch', globalThis.fetch],
  ['undici', createUndiciFetch()],
] as const)(
  'createHttp with the transport %s repeats a request if the server resets the idle connection that it chose',
  async (_, fetch) => {
    await using server = await serveOncePerConnection()
    const http = createHttp({ provider: 'acme', baseUrl: server.url, fetch, sleep: () => Promise.resolve() })
    // A connection is idle a few turns of the event loop after its answer. Until then, a request opens a new connection.
    for (let calls = 0; calls < 200 && server.resets() === 0; calls++) {
      expect(await http.json({ path: 'models', body: () => '{}' })).toEqual({ a: 'b' })
      await setImmediate()
    }
    expect(server.resets()).toBeGreaterThan(0)
  },
)
