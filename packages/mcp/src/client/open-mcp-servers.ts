import { checkOptions, ParleyError, toErrorInfo, type ErrorInfo, type McpEvent, type OptionKinds } from '@parley/core'
import { assignServerIds } from './assign-server-ids.ts'
import { callListener } from '../call-listener.ts'
import { checkServerDefinition } from '../config/check-server-definition.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import { openMcpServer, SERVER_OPTIONS, type OpenMcpServerOptions } from './open-mcp-server.ts'

/** Options of `openMcpServers`. */
export interface OpenMcpServersOptions extends Omit<OpenMcpServerOptions, 'onNotification'> {
  /**
   * What happens if one server does not start. `fail-fast` closes the others and throws. `log-and-continue` reports it to
   * `onSkip` and `onEvent` and continues without it.
   * @default 'fail-fast'
   */
  readonly startupPolicy?: 'fail-fast' | 'log-and-continue' | undefined
  /** Called for each server that is skipped. @default none */
  readonly onSkip?: ((name: string, error: ErrorInfo) => void) | undefined
}

/**
 * Several servers that are closed together. Pass them in a runtime's `resources` to close them with the runtime, and to
 * publish their events to its bus.
 */
export interface McpServers extends AsyncDisposable {
  /** The open servers, in the order of their definitions. Skipped servers are left out. */
  readonly servers: readonly McpServer[]
  /**
   * Returns the server with this name.
   * @throws ParleyError `config-invalid` naming the known servers.
   */
  get(name: string): McpServer
  /** As `McpServer.onEvent`, for all servers. Also reports why a skipped server did not start. */
  onEvent(listener: (event: McpEvent) => void): () => void
  /** Stops all servers concurrently. Idempotent. */
  close(): Promise<McpServersReport>
}

/** How several servers stopped. */
export interface McpServersReport {
  /** Number of servers that needed SIGKILL. */
  readonly killed: number
  readonly servers: readonly (McpStopReport & { readonly name: string })[]
}

const { onNotification: _, ...OF_ONE_SERVER } = SERVER_OPTIONS
const OPTIONS: OptionKinds<OpenMcpServersOptions> = {
  ...OF_ONE_SERVER,
  startupPolicy: ['fail-fast', 'log-and-continue'],
  onSkip: 'function',
}

/**
 * Starts several servers concurrently. If several have the same name, the second becomes `name-1`, the third `name-2`.
 * @throws ParleyError `config-invalid` if a definition is invalid; `mcp-server-failed` or `mcp-auth-required` for the first
 * server that does not start, unless `startupPolicy` is `log-and-continue`.
 */
export async function openMcpServers(
  definitions: readonly McpServerDefinition[],
  serversOptions: OpenMcpServersOptions = {},
): Promise<McpServers> {
  checkOptions('openMcpServers', serversOptions, OPTIONS)
  const { startupPolicy = 'fail-fast', onSkip, ...options } = serversOptions
  checkPolicy(startupPolicy)
  for (const [index, definition] of definitions.entries()) checkServerDefinition(definition, `servers.${index}`)
  const ids = assignServerIds(definitions.map(({ name }) => name))
  const firstFailure = new AbortController()
  const signal =
    options.signal === undefined ? firstFailure.signal : AbortSignal.any([options.signal, firstFailure.signal])
  const isFatal = (error: unknown): boolean => startupPolicy === 'fail-fast' || !isServerFailure(error)
  const log = createEventLog()
  const onEvent = (event: McpEvent): void => {
    callListener(() => options.onEvent?.(event))
    log.emit(event)
  }
  const results = await Promise.allSettled(
    definitions.map((definition, index) =>
      openMcpServer({ ...definition, name: ids[index] ?? definition.name }, { ...options, onEvent, signal }).catch(
        (error: unknown) => {
          // The start as a whole has failed: abort the other servers.
          if (isFatal(error)) firstFailure.abort(error)
          throw error
        },
      ),
    ),
  )
  const opened = toMcpServers(
    results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])),
    log,
  )
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') continue
    if (isFatal(result.reason)) {
      await opened.close()
      throw result.reason
    }
    callListener(() => onSkip?.(ids[index] ?? '', toErrorInfo(result.reason)))
  }
  return opened
}

function toMcpServers(servers: readonly McpServer[], { onEvent }: EventLog): McpServers {
  let closing: Promise<McpServersReport> | undefined
  async function closeAll(): Promise<McpServersReport> {
    const reports = await Promise.all(servers.map(async server => ({ name: server.name, ...(await server.close()) })))
    return { killed: reports.filter(({ outcome }) => outcome === 'killed').length, servers: reports }
  }
  const close = (): Promise<McpServersReport> => (closing ??= closeAll())
  return {
    servers,
    onEvent,
    get(name) {
      const found = servers.find(server => server.name === name)
      if (found !== undefined) return found
      const known = servers.map(server => server.name).join(', ')
      const detail = `'${name}' is unknown; known: ${known === '' ? 'none' : known}`
      throw new ParleyError({ code: 'config-invalid', path: 'servers', detail })
    },
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

function isServerFailure(error: unknown): boolean {
  return ParleyError.is(error, 'mcp-server-failed') || ParleyError.is(error, 'mcp-auth-required')
}

function checkPolicy(policy: string): void {
  if (policy === 'fail-fast' || policy === 'log-and-continue') return
  const detail = `'${policy}' is unknown; known: fail-fast, log-and-continue`
  throw new ParleyError({ code: 'config-invalid', path: 'startupPolicy', detail })
}
