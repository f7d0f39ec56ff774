import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const LONGEST_PAUSE_MS = 5_000

export interface Watch {
  watch(listener: (runId: string) => void): Promise<AsyncDisposable>
  close(): Promise<void>
}

export interface WatchOptions {
  readonly url: string
  readonly schema: string
  /** Its notices begin with the name of the schema and a slash. */
  readonly channel: string
}

/** Listens on one connection of its own while anybody wants to hear, and makes a new one when it breaks. */
export function createWatch({ url, schema, channel }: WatchOptions): Watch {
  const listeners = new Set<(runId: string) => void>()
  const prefix = `${schema}/`
  let client: Promise<Client> | undefined

  async function open(): Promise<Client> {
    const fresh = new Client({ connectionString: url, application_name: 'parley', keepAlive: true })
    fresh.on('error', () => {})
    fresh.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(prefix)) return
      for (const listener of listeners) listener(payload.slice(prefix.length))
    })
    await fresh.connect()
    try {
      await fresh.query(`listen ${channel}`)
      return fresh
    } catch (error) {
      await fresh.end()
      throw error
    }
  }

  async function connect(): Promise<void> {
    const opening = open()
    client = opening
    const opened = await opening
    opened.once('end', () => {
      // Not when it was let go.
      if (client === opening) void reconnect()
    })
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
    const ending = client
    client = undefined
    await ending?.then(
      open => open.end(),
      () => {},
    )
  }

  return {
    async watch(listener) {
      const own = (runId: string): void => listener(runId)
      listeners.add(own)
      try {
        await (client ?? connect())
      } catch (error) {
        listeners.delete(own)
        client = undefined
        throw error
      }
      return {
        [Symbol.asyncDispose]: async () => {
          listeners.delete(own)
          if (listeners.size === 0) await stop()
        },
      }
    },
    async close() {
      listeners.clear()
      await stop()
    },
  }
}
