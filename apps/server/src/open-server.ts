import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { checkDuration, ParleyError, systemClock, checkOptions, type OptionKinds } from '@parley/core'
import { APP_OPTIONS, createServerApp, type ServerApp, type ServerAppOptions } from './create-server-app.ts'
import { holdHeaders } from './streams/hold-headers.ts'

export interface ServerOptions extends ServerAppOptions {
  /** Port to listen on; 0 picks a free one. @default 8080 */
  readonly port?: number | undefined
  /** Address to listen on. An address other than loopback requires `keys` or `tokens`. @default '127.0.0.1' */
  readonly host?: string | undefined
  /** Maximum number of open connections. Further connections are closed at once. @default 2_000 */
  readonly maxConnections?: number | undefined
  /** Milliseconds within which a client must send the head of a request. @default 10_000 */
  readonly headersTimeoutMs?: number | undefined
  /** Milliseconds within which a client must send the whole request. @default 60_000 */
  readonly requestTimeoutMs?: number | undefined
  /**
   * Milliseconds between two searches for runs whose process has died. A run is resumed when the lease of its worker has expired,
   * which takes at most `leaseMs` of the runtime. `Infinity` resumes only at the start. @default 3_000
   */
  readonly resumeEveryMs?: number | undefined
  /** Largest head of a request, in bytes. @default 16 KiB */
  readonly maxHeaderBytes?: number | undefined
}

/** A listening server. Closing it closes its runtime. */
export interface ParleyServer extends AsyncDisposable {
  /** Base URL, for example `http://127.0.0.1:8080`. */
  readonly url: string
  readonly port: number
  /** Number of runs of earlier processes that were resumed at the start. */
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

const OPTIONS: OptionKinds<ServerOptions> = {
  ...APP_OPTIONS,
  port: 'number',
  host: 'string',
  maxConnections: 'number',
  headersTimeoutMs: 'number',
  requestTimeoutMs: 'number',
  resumeEveryMs: 'number',
  maxHeaderBytes: 'number',
}

/**
 * Starts a server: listens, then resumes the unfinished runs of an earlier process, and from then on those of processes that die.
 * @throws ParleyError `config-invalid` if the host is not loopback and `keys` and `tokens` are empty, or if the port is not
 * available.
 */
export async function openServer(options: ServerOptions): Promise<ParleyServer> {
  checkOptions('openServer', options, OPTIONS)
  const { port = 8080, host = '127.0.0.1', keys = [], tokens = [], runtime, resumeEveryMs = 3_000 } = options
  if (resumeEveryMs !== Infinity) checkDuration({ resumeEveryMs }, '')
  const isOpen = keys.length + tokens.length === 0
  const isLoopback = LOOPBACK.has(host)
  if (!isLoopback && isOpen) {
    const detail = `'${host}' requires keys or tokens, because other machines can reach it; or listen on 127.0.0.1`
    throw new ParleyError({ code: 'config-invalid', path: 'host', detail })
  }
  const { hosts = isLoopback && isOpen ? LOOPBACK_HOSTS : undefined } = options
  const app = createServerApp(appOptionsOf({ ...options, hosts }))
  const http = createHttp(options, request => app.fetch(request))
  const address = await listen(http, { port, host })
  // A server without agents drives no runs: another process will.
  const drives = (options.agents ?? runtime.agents.list()).length > 0
  const recovered = drives ? await recover(app, http) : 0
  const stopResuming = drives ? keepResuming(app, { ...options, resumeEveryMs }) : () => {}
  let closing: Promise<void> | undefined

  async function close(drainMs: number): Promise<void> {
    app.close()
    stopResuming()
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

/** How many searches for runs of dead processes there are for one that also looks at runs which a process released. */
const SEARCHES = 5

/** Resumes runs periodically. Returns a function that stops it. */
function keepResuming(app: ServerApp, options: ServerOptions & { readonly resumeEveryMs: number }): () => void {
  const { resumeEveryMs, clock = systemClock } = options
  let count = 0
  let callOff = (): void => {}
  let stopped = resumeEveryMs === Infinity
  const wait = (): void => {
    if (!stopped) callOff = clock.after(Math.max(resumeEveryMs, 1), search)
  }
  function search(): void {
    // The store may work again at the next search; `/readyz` reports the failure.
    void (++count % SEARCHES === 0 ? app.recover() : app.takeOver()).then(wait, wait)
  }
  wait()
  return () => {
    stopped = true
    callOff()
  }
}

function createHttp(options: ServerOptions, fetch: (request: Request) => Promise<Response>): Server {
  const { maxConnections = 2_000, headersTimeoutMs = 10_000, requestTimeoutMs = 60_000 } = options
  const { maxHeaderBytes = 16 * 1024, readerTimeoutMs = 30_000 } = options
  // `discardRest` reads the rest of a body instead: the adapter would close the connection of a client that still sends.
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false })
  const http = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
    },
    (incoming, outgoing) => {
      outgoing.setTimeout(readerTimeoutMs, () => dropReader(outgoing))
      holdHeaders(outgoing)
      outgoing.once('finish', () => discardRest(incoming))
      void listener(incoming, outgoing)
    },
  )
  http.maxConnections = maxConnections
  return http
}

/** How often a client must send data whose request has been answered before it was sent, in milliseconds. */
const REST_PAUSE_MS = 1_000

/**
 * Reads the rest of a request that was answered early, for example with 413. If a server closes a connection while data arrives,
 * TCP resets it and the client loses the answer. `requestTimeoutMs` bounds the time, and a client that pauses is disconnected.
 */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const { socket } = incoming
  let received = socket.bytesRead
  let looking: NodeJS.Immediate | undefined
  // After a blocked event loop, timers run before the data that has arrived is read.
  const timer = setTimeout(() => (looking = setImmediate(look)), REST_PAUSE_MS)
  function look(): void {
    // Node.js drops a body that no code has begun to read, without an event for its data.
    if (socket.bytesRead === received) return socket.destroySoon()
    received = socket.bytesRead
    timer.refresh()
  }
  function end(): void {
    clearTimeout(timer)
    clearImmediate(looking)
  }
  incoming.once('end', end).once('close', end)
  incoming.resume()
}

/** Closes the connection of a reader that accepts no data. Its stream was cut before. */
function dropReader(outgoing: ServerResponse): void {
  // The timeout fires whenever no data moves. A silent stream has nothing to write, so its reader is not slow.
  if (outgoing.writableLength > 0) outgoing.destroy()
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

function appOptionsOf(options: ServerOptions): ServerAppOptions {
  const { port: _p, host: _h, maxConnections: _c, headersTimeoutMs: _t, requestTimeoutMs: _r, ...rest } = options
  const { resumeEveryMs: _e, maxHeaderBytes: _b, ...app } = rest
  return app
}
