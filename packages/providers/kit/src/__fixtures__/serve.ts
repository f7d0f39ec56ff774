import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (response: ServerResponse, request: IncomingMessage) => void

export interface Served extends AsyncDisposable {
  readonly url: string
  readonly requests: IncomingMessage[]
  /** The number of connections so far. */
  readonly connections: () => number
  /** The number of connections that are open. */
  readonly open: () => number
}

/** Serves the n-th request with the n-th handler, and later requests with the last handler. */
export async function serve(...handlers: Handler[]): Promise<Served> {
  const requests: IncomingMessage[] = []
  let connections = 0
  let open = 0
  const server = createServer((request, response) => {
    requests.push(request)
    handlers[Math.min(requests.length, handlers.length) - 1]?.(response, request)
  })
  server.on('connection', socket => {
    connections++
    open++
    socket.on('close', () => open--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const sse =
  (...data: string[]): Handler =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(data.map(each => `data: ${each}\n\n`).join(''))
  }
export const fail =
  (status: number, headers: Record<string, string> = {}, body = '{"error":{"message":"No."}}'): Handler =>
  response => {
    response.writeHead(status, headers)
    response.end(body)
  }
/** Sends the headers and `body`, and leaves the response open. */
export const hang =
  (body = ''): Handler =>
  response => {
    response.writeHead(200)
    response.flushHeaders()
    if (body !== '') response.write(body)
  }
