import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A listening HTTP server. */
export interface HttpListener extends AsyncDisposable {
  /** URL of the MCP endpoint. */
  readonly url: string
}

export interface HttpListenerOptions {
  readonly port: number
  readonly hostname: string
  readonly respond: (request: Request) => Promise<Response>
}

/** Listens for requests. Rejects with Node's error if the port is in use. */
export async function openHttpListener({ port, hostname, respond }: HttpListenerOptions): Promise<HttpListener> {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const server = createServer((request, response) => {
    const left = new AbortController()
    response.on('close', () => left.abort())
    answer(request, { response, respond, host, signal: left.signal }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, resolve)
  })
  const closed = new Promise<void>(resolve => server.once('close', resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface AnswerOptions {
  readonly response: ServerResponse
  readonly respond: HttpListenerOptions['respond']
  readonly host: string
  readonly signal: AbortSignal
}

async function answer(request: IncomingMessage, { response, respond, host, signal }: AnswerOptions): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${host}`)
  if (url.pathname !== '/mcp') return void response.writeHead(404).end()
  // DNS rebinding: a web page of another origin may resolve its own host name to this machine.
  if (!isOwn(request.headers.host, host) || !isOwnOrigin(request.headers.origin, host)) {
    return void response.writeHead(403).end()
  }
  const { method = 'GET' } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, [value].flat().join(', '))
  const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? null : toWebStream(request)
  const web = await respond(new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit))
  response.writeHead(web.status, Object.fromEntries(web.headers))
  // Node sends the headers with the first chunk, and the first chunk may come late.
  response.flushHeaders()
  if (web.body === null) return void response.end()
  await pipeline(Readable.fromWeb(web.body), response)
}

function toWebStream(request: IncomingMessage): RequestInit['body'] {
  return Readable.toWeb(request)
}

function isOwn(header: string | undefined, host: string): boolean {
  return header?.replace(/:\d+$/, '') === host
}

function isOwnOrigin(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && isOwn(new URL(origin).host, host)
}
