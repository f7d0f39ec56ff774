import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ParleyError } from '@parley/core'
import { createServerApp, type ServerApp, type ServerAppOptions } from './create-server-app.ts'

export interface ServerOptions extends ServerAppOptions {
  /** Port to listen on; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Address to listen on. An address other than loopback requires `keys`. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Maximum number of open connections. Further connections are closed at once. @default 2_000 */
  readonly maxConnections?: number | undefined
  /** Milliseconds within which a client must send the head of a request. @default 10_000 */
  readonly headersTimeoutMs?: number | undefined
  /** Milliseconds within which a client must send the whole request. @default 60_000 */
  readonly requestTimeoutMs?: number | undefined
  /** Largest head of a request, in bytes. @default 16 KiB */
  readonly maxHeaderBytes?: number | undefined
  /**
   * Milliseconds within which a reader must accept data that waits for it. After that the server drops the connection.
   * The run continues, and the reader may connect again. @default 30_000
   */
  readonly readerTimeoutMs?: number | undefined
}

/** A listening server. Closing it closes its runtime. */
export interface ParleyServer extends AsyncDisposable {
  /** Base URL, for example `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Number of runs that were resumed from an earlier process. */
  readonly recovered: number
  /**
   * Stops accepting requests and waits up to `drainMs` milliseconds for the runs to end. It then releases the other
   * runs, so that the next process can resume them. A runtime without a store cancels them instead. Idempotent.
   * @param options `drainMs` is 10_000 by default.
   */
  close(options?: { readonly drainMs?: number | undefined }): Promise<void>
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost']
/** Milliseconds for readers to receive the end of their streams. */
const FLUSH_MS = 2_000

/**
 * Starts a server: listens, then resumes the unfinished runs of an earlier process.
 * @throws ParleyError `config-invalid` if the host is not loopback and `keys` is empty, or if the port is not
 * available.
 */
export async function openServer(options: ServerOptions): Promise<ParleyServer> {
  const { port = 8080, host = '127.0.0.1', keys = [], runtime } = options
  const isLoopback = LOOPBACK.has(host)
  if (!isLoopback && keys.length === 0) {
    const detail = `'${host}' requires keys, because other machines can reach it; or listen on 127.0.0.1`
    throw new ParleyError({ code: 'config-invalid', path: 'host', detail })
  }
  const { hosts = isLoopback && keys.length === 0 ? LOOPBACK_HOSTS : undefined } = options
  const app = createServerApp({ ...options, hosts })
  const http = createHttp(options, request => app.fetch(request))
  const address = await listen(http, { port, host })
  const recovered = await recover(app, http)
  let closing: Promise<void> | undefined

  async function close(drainMs: number): Promise<void> {
    app.close()
    const closed = new Promise<void>(resolve => {
      http.close(() => resolve())
    })
    http.closeIdleConnections()
    // Released runs can be resumed from the store. Without a store they would be lost, so the runtime cancels them.
    const { store } = await runtime.health()
    await runtime.close({ drainMs, ...(store === 'none' ? {} : { onClose: 'suspend' as const }) })
    const cutOff = setTimeout(() => http.closeAllConnections(), FLUSH_MS)
    // A connection becomes idle when its last response is sent, and only then can be closed without a loss.
    const sweep = setInterval(() => http.closeIdleConnections(), 50)
    await closed
    clearTimeout(cutOff)
    clearInterval(sweep)
  }

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    recovered,
    close: ({ drainMs = 10_000 } = {}) => (closing ??= close(drainMs)),
    [Symbol.asyncDispose]: () => (closing ??= close(10_000)),
  }
}

async function recover(app: ServerApp, http: Server): Promise<number> {
  try {
    return await app.recover()
  } catch (error) {
    http.close()
    throw error
  }
}

function createHttp(options: ServerOptions, fetch: (request: Request) => Promise<Response>): Server {
  const { maxConnections = 2_000, headersTimeoutMs = 10_000, requestTimeoutMs = 60_000 } = options
  const { maxHeaderBytes = 16 * 1024, readerTimeoutMs = 30_000 } = options
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const http = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
    },
    (incoming, outgoing) => {
      // The timeout fires whenever no data moves. A silent stream has nothing to write, so its reader is not slow.
      outgoing.setTimeout(readerTimeoutMs, () => {
        if (outgoing.writableLength > 0) outgoing.destroy()
      })
      void listener(incoming, outgoing)
    },
  )
  http.maxConnections = maxConnections
  return http
}

function listen(http: Server, { port, host }: { readonly port: number; readonly host: string }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      const detail =
        cause.code === 'EADDRINUSE' ? `${port} is already in use` : `${host}:${port} is not available: ${cause.code}`
      reject(new ParleyError({ code: 'config-invalid', path: 'port', detail }, { cause }))
    })
    http.listen({ port, host }, () => resolve(http.address() as AddressInfo))
  })
}
