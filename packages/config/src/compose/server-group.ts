import type { ResourceEvent, Tool, ToolSource } from '@parley/core'
import type { McpStartOptions, OpenedServers } from './config-services.ts'

/** MCP servers that start with `start`, or when a run first needs their tools. */
export interface ServerGroup {
  /** Returns the tools of a server. A server that was skipped has no tools. */
  source(name: string): ToolSource
  /** Starts the servers. Has no effect if they have started. */
  start(options: McpStartOptions): Promise<void>
  /** A resource of the runtime: the runtime closes the servers when it closes, and reports their events. */
  readonly resource: {
    readonly name: string
    close(): Promise<unknown>
    onEvent(listener: (event: ResourceEvent) => void): void
  }
}

export function createServerGroup(open: (options: McpStartOptions) => Promise<OpenedServers>): ServerGroup {
  const listeners: ((event: ResourceEvent) => void)[] = []
  // A run may listen before the servers have started.
  const changes = new Set<{ readonly name: string; readonly listener: () => void }>()
  let opening: Promise<OpenedServers> | undefined
  let isClosed = false

  async function openAll(options: McpStartOptions): Promise<OpenedServers> {
    const opened = await open(options)
    opened.onEvent(event => {
      for (const listener of listeners) listener(event)
    })
    for (const server of opened.servers)
      server.onChange?.(() => {
        for (const { name, listener } of changes) if (name === server.name) listener()
      })
    return opened
  }

  function started(options: McpStartOptions = {}): Promise<OpenedServers> {
    opening ??= openAll(options).catch((error: unknown) => {
      // The next run tries again.
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    source(name) {
      return {
        name,
        async tools(options): Promise<readonly Tool[]> {
          if (isClosed) return []
          const { servers } = await started()
          return (await servers.find(server => server.name === name)?.tools(options)) ?? []
        },
        onChange(listener) {
          const wanted = { name, listener }
          changes.add(wanted)
          return () => void changes.delete(wanted)
        },
        async [Symbol.asyncDispose]() {},
      }
    },
    start: async options => void (await started(options)),
    resource: {
      name: 'MCP servers',
      async close() {
        isClosed = true
        return (await opening?.catch(() => undefined))?.close()
      },
      onEvent: listener => void listeners.push(listener),
    },
  }
}
