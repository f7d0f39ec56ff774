import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebServer extends AsyncDisposable {
  readonly port: number
  /** Scheme, host and port, without a trailing slash. */
  readonly origin: string
  /** The requested paths, in order. */
  readonly requests: string[]
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a real HTTP server on a loopback address, on a free port by default. */
export async function openWebServer(answer: Answer, { host = '127.0.0.1', port = 0 } = {}): Promise<WebServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    port: bound,
    origin: `http://${host}:${bound}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
