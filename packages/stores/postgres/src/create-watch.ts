import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Channel } from './create-announcer.ts'
import type { Servers } from './create-servers.ts'

const LONGEST_PAUSE_MS = 5_000
/** How long a connection is kept after the last one who wanted to hear has left. */
const LINGER_MS = 10_000

export interface Watch {
  /** Resolves when `listener` hears. */
  watch(listener: (runId: string) => void): Promise<AsyncDisposable>
  /** Hears as soon as the server is there. Returns the way to stop. */
  watchSoon(listener: (runId: string) => void): () => void
  close(): Promise<void>
}

export interface WatchOptions {
  readonly servers: Servers
  readonly schema: string
  readonly channel: Channel
  /** Called when notices may have been missed: it listens only from now on, or again. */
  readonly onOpen?: (() => void) | undefined
}

/** Listens on one connection of its own while anybody wants to hear, and makes a new one when it breaks. */
export function createWatch({ servers, schema, channel, onOpen = () => {} }: WatchOptions): Watch {
  const listeners = new Set<(runId: string) => void>()
  let client: Promise<Client> | undefined
  let lingering: NodeJS.Timeout | undefined

  function hear(payload: string): void {
    const prefix = `${schema}/`
    if (!payload.startsWith(prefix)) return
    for (const listener of listeners) listener(payload.slice(prefix.length))
  }

  async function connect(): Promise<void> {
    const opening = listen(servers, channel, hear)
    client = opening
    const opened = await opening
    opened.once('end', () => {
      // Not when it was let go.
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

  /** Whoever is told once for each time it has asked. */
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

/** A connection that hears the channel, and keeps no process alive. */
async function listen(servers: Servers, channel: Channel, hear: (payload: string) => void): Promise<Client> {
  const url = servers.url()
  const client = new Client({ connectionString: url, application_name: 'parley', keepAlive: true })
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => hear(payload))
  try {
    await client.connect()
    // A replica refuses it.
    await client.query(`listen ${channel}`)
    // Its types do not know that it can.
    ;(client as Client & { unref(): void }).unref()
    return client
  } catch (error) {
    servers.leave(url)
    await client.end().catch(() => {})
    throw error
  }
}
