import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ParleyError } from '@parley/core'
import { createServerApp, type ServerApp, type ServerAppOptions } from './create-server-app.ts'

export interface ServerOptions extends ServerAppOptions {
  /** 0 for any that is free. @default 8080 */
  readonly port?: number | undefined
  /** Anything but a loopback address wants keys. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** @default 2_000 */
  readonly maxConnections?: number | undefined
  /** How long a client may take to send the head of a request. @default 10_000 */
  readonly headersTimeoutMs?: number | undefined
  /** How long it may take to send all of it. @default 60_000 */
  readonly requestTimeoutMs?: number | undefined
  /** Of the head of a request. @default 16 KiB */
  readonly maxHeaderBytes?: number | undefined
  /**
   * How long a reader may take nothing of what waits for it. Its connection is dropped then; the run goes on, and it may
   * come again. @default 30_000
   */
  readonly readerTimeoutMs?: number | undefined
}

/** A server that listens. Closing it closes its runtime. */
export interface ParleyServer extends AsyncDisposable {
  /** `http://127.0.0.1:8080` */
  readonly url: string
  readonly port: number
  /** Runs taken up from an earlier process. */
  readonly recovered: number
  /**
   * Takes no more requests, lets runs end until `drainMs` have passed, then stops them; what the store has of them can be
   * resumed where the runtime suspends on closing. Idempotent.
   * @param options `drainMs`: default 10_000
   */
  close(options?: { readonly drainMs?: number | undefined }): Promise<void>
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost']
/** How long readers may take to fetch the end of their streams. */
const FLUSH_MS = 2_000

/**
 * Listens, after the runs an earlier process left have been taken up.
 * @throws ParleyError `config-invalid` for a host that is not loopback without keys, and for a port that cannot be had.
 */
export async function openServer(options: ServerOptions): Promise<ParleyServer> {
  const { port = 8080, host = '127.0.0.1', keys = [], runtime } = options
  const isLoopback = LOOPBACK.has(host)
  if (!isLoopback && keys.length === 0) {
    const detail = `'${host}' can be reached from elsewhere, so the server needs keys; or listen on 127.0.0.1`
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
    // A runtime with a store lets go of what is left, to be resumed; one without cancels it.
    const { store } = await runtime.health()
    await runtime.close({ drainMs, ...(store === 'none' ? {} : { onClose: 'suspend' as const }) })
    const cutOff = setTimeout(() => http.closeAllConnections(), FLUSH_MS)
    // Connections whose last answer is out are idle now.
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
      // Told when nothing has moved for so long: a stream that is silent has nothing to take.
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
      const detail = cause.code === 'EADDRINUSE' ? `${port} is taken` : `${host}:${port} cannot be had: ${cause.code}`
      reject(new ParleyError({ code: 'config-invalid', path: 'port', detail }, { cause }))
    })
    http.listen({ port, host }, () => resolve(http.address() as AddressInfo))
  })
}
