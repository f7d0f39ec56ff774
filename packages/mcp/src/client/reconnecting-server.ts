import { ParleyError, type Json, type McpEvent, type McpServerStatus } from '@parley/core'
import type { OpenBrowser } from '../auth/authorize-in-browser.ts'
import type { McpTraceContext } from './request-meta.ts'
import { createSendRequest } from './send-request.ts'
import { callListener } from '../call-listener.ts'
import { openConnection, type Connection } from '../connection/open-connection.ts'
import { createElicitor } from '../features/elicitor.ts'
import type { EventLog } from './event-log.ts'
import { createEventReporter } from './event-reporter.ts'
import type { McpClientFeatures, McpRoot } from '../features/mcp-client-features.ts'
import { createMcpRequests, type McpRequests } from './mcp-requests.ts'
import type { McpServerDefinition } from '../config/mcp-server-definition.ts'
import { createServerSupervisor, type ServerSupervisor } from '../connection/server-supervisor.ts'
import type { McpStopReport } from '../transport/server-link.ts'
import type { McpTokenStore } from '../auth/mcp-token-store.ts'
import { createResourceSubscriptions } from './resource-subscriptions.ts'
import { createServerAuthorization } from '../connection/server-authorization.ts'
import { createToolListCache, type ToolListCache } from './tool-list-cache.ts'

/** The state of an open server that outlives its connections. */
export interface ReconnectingServer {
  readonly supervisor: ServerSupervisor
  readonly toolList: ToolListCache
  readonly requests: McpRequests
  readonly callTimeoutMs: number
  /** The newest connection. Kept after it broke, because the server's description of itself is still valid. */
  readonly last: Connection | undefined
  readonly onEvent: EventLog['onEvent']
  setRoots(roots: readonly McpRoot[]): Promise<void>
  reauthenticate(signal: AbortSignal | undefined): Promise<void>
  close(): Promise<McpStopReport>
}

export interface ServerOptions extends McpClientFeatures {
  readonly onEvent?: ((event: McpEvent) => void) | undefined
  readonly onNotification?: ((method: string, params: Json | undefined) => void) | undefined
  readonly openBrowser?: OpenBrowser | undefined
  readonly traceContext?: (() => McpTraceContext | undefined) | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly tokenStore: McpTokenStore
  readonly authTimeoutMs: number
  readonly now: () => number
}

const RELIST_MS = 500

export function createReconnectingServer(definition: McpServerDefinition, options: ServerOptions): ReconnectingServer {
  const { name, callTimeoutMs = 60_000, transport } = definition
  const kind = transport === 'stdio' ? 'process' : 'url'
  const { now } = options
  const events = createEventReporter({ server: name, now, onEvent: options.onEvent })
  const authorization = createServerAuthorization({ ...options, definition, supervisor: () => supervisor })
  const subscriptions = createResourceSubscriptions()
  const roots = createRoots(name, options.roots)
  const elicitor = createElicitor({ ...options, server: name })
  let last: Connection | undefined

  function onListChanged(list: 'tools' | 'resources' | 'prompts'): void {
    events.emit({ type: 'mcp.list.changed', server: name, list })
    if (list !== 'tools') return
    toolList.expire()
    toolList.renew()
  }

  async function connect(signal: AbortSignal): Promise<Connection> {
    const connection = await openConnection(definition, {
      environment: options.environment,
      signal,
      features: { ...options, elicitor, roots: roots.current },
      fetch: authorization.fetch,
      onListChanged,
      onResourceUpdated: uri => events.emit({ type: 'mcp.resource.updated', server: name, uri }),
      onStreamLost: () => supervisor.markLost(connection, `${connection.link.describe()} Its event stream ended.`),
      onNotification: (method, params) => callListener(() => options.onNotification?.(method, params)),
    })
    return connection
  }

  async function open(signal: AbortSignal): Promise<Connection> {
    const connection = await authorization.withAuthorization(() => connect(signal))
    const { client, link } = connection
    void link.ended?.then(() => supervisor.markLost(connection, link.describe()))
    // Changes that a server behind a URL announces before its event stream is open are lost, so list again later.
    if (kind === 'url') toolList.expireIn(RELIST_MS)
    last = connection
    // Not awaited: without subscriptions the connection is still usable.
    subscriptions.renew(client, { timeout: callTimeoutMs }).catch(() => {})
    // The new process may have other tools.
    toolList.renew()
    return connection
  }

  const supervisor = createServerSupervisor({
    server: name,
    kind,
    open,
    onStatus: status => {
      if (isLost(status)) toolList.expire()
      events.status(status)
    },
    now,
  })
  const { authorize } = authorization
  const ask = createSendRequest({ ...options, server: name, callTimeoutMs, supervisor, authorize, elicitor })
  const requests = events.observe(createMcpRequests(ask, subscriptions))
  const toolList = createToolListCache({ fetch: requests.fetchTools, onDiff: events.toolsChanged })

  return {
    supervisor,
    toolList,
    requests,
    callTimeoutMs,
    onEvent: events.onEvent,
    get last() {
      return last
    },
    setRoots: next => roots.replace(next, () => requests.notify('notifications/roots/list_changed')),
    reauthenticate: signal => authorization.reset(() => requests.ping({ signal })),
    async close() {
      toolList.close()
      const report = await supervisor.close()
      events.stopped(report.outcome)
      return report
    },
  }
}

function isLost({ state }: McpServerStatus): boolean {
  return state === 'failed' || state === 'backoff'
}

interface Roots {
  current(): readonly McpRoot[] | undefined
  replace(next: readonly McpRoot[], notify: () => Promise<void>): Promise<void>
}

function createRoots(server: string, given: readonly McpRoot[] | undefined): Roots {
  let roots = given
  return {
    current: () => roots,
    async replace(next, notify) {
      if (roots === undefined) {
        const detail = 'must be given when the server is opened: this client declared no support for roots'
        throw new ParleyError({ code: 'config-invalid', path: `${server}.roots`, detail })
      }
      roots = next
      await notify()
    },
  }
}
