import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Channel } from './create-announcer.ts'
import type { Servers } from './create-servers.ts'

/** Longest pause between two attempts to connect again, in milliseconds. */
const LONGEST_PAUSE_MS = 5_000
/** Milliseconds for which the connection stays open after the last listener has left. */
const LINGER_MS = 10_000

/** A subscription to the notices of one channel. */
export interface Watch {
  /** Adds a listener. Resolves as soon as it receives notices. */
  watch(listener: (runId: string) => void): Promise<AsyncDisposable>
  /** Adds a listener that receives notices as soon as the server is available. @returns A function that removes it. */
  watchSoon(listener: (runId: string) => void): () => void
  /** Removes all listeners and closes the connection. */
  close(): Promise<void>
}

export interface WatchOptions {
  readonly servers: Servers
  readonly schema: string
  readonly channel: Channel
  /** Called after each connect, because the watch has missed the notices that were sent before. */
  readonly onOpen?: (() => void) | undefined
}

/** Creates a watch. It listens on a separate connection while it has listeners, and connects again after the connection broke. */
export function createWatch({ servers, schema, channel, onOpen = () => {} }: WatchOptions): Watch {
  const listeners = new Set<(runId: string) => void>()
  let client: Promise<Client> | undefined
  let lingering: NodeJS.Timeout | undefined

  function receive(payload: string): void {
    const prefix = `${schema}/`
    if (!payload.startsWith(prefix)) return
    for (const listener of listeners) listener(payload.slice(prefix.length))
  }

  async function connect(): Promise<void> {
    const opening = listen(servers, channel, receive)
    client = opening
    const opened = await opening
    opened.once('end', () => {
      // `stop` clears `client` before it ends the connection.
      if (client === opening) void reconnect()
    })
    onOpen()
  }

  async function reconnect(): Promise<void> {
    for (let pause = 100; listeners.size > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await connect()
        return
      } catch {
        await sleep(pause, undefined, { ref: false })
      }
    }
    client = undefined
  }

  async function stop(): Promise<void> {
    clearTimeout(lingering)
    const ending = client
    client = undefined
    await ending?.then(
      open => open.end(),
      () => {},
    )
  }

  /** Adds a listener. Wraps the listener, so that a listener that is added twice is called twice. */
  function add(listener: (runId: string) => void): () => void {
    const own = (runId: string): void => listener(runId)
    listeners.add(own)
    clearTimeout(lingering)
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return
      lingering = setTimeout(() => void stop(), LINGER_MS).unref()
    }
  }

  return {
    async watch(listener) {
      const leave = add(listener)
      try {
        await (client ?? connect())
      } catch (error) {
        leave()
        client = undefined
        throw error
      }
      return { [Symbol.asyncDispose]: async () => leave() }
    },
    watchSoon(listener) {
      const leave = add(listener)
      if (client === undefined) void reconnect()
      return leave
    },
    async close() {
      listeners.clear()
      await stop()
    },
  }
}

/** Connects and listens on the channel. The connection does not keep the process alive. */
async function listen(servers: Servers, channel: Channel, receive: (payload: string) => void): Promise<Client> {
  const url = servers.url()
  const client = new Client({ connectionString: url, application_name: 'parley', keepAlive: true })
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => receive(payload))
  try {
    await client.connect()
    // A replica rejects `listen`.
    await client.query(`listen ${channel}`)
    // The types of pg lack `unref`.
    ;(client as Client & { unref(): void }).unref()
    return client
  } catch (error) {
    servers.leave(url)
    await client.end().catch(() => {})
    throw error
  }
}
