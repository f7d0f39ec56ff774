import { createAskServer } from './ask-server.ts'
import { callListener } from './call-listener.ts'
import type { Connection } from './connection.ts'
import { createMcpRequests, type McpRequests } from './mcp-requests.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'
import type { McpStopReport } from './mcp-stop-report.ts'
import { openConnection } from './open-connection.ts'
import type { OpenMcpServerOptions } from './open-mcp-server.ts'
import { createServerSupervisor, type ServerSupervisor } from './server-supervisor.ts'
import { createToolCatalog, type ToolCatalog } from './tool-catalog.ts'

/** What stays of a server over its restarts. */
export interface ServerSession {
  readonly supervisor: ServerSupervisor
  readonly catalog: ToolCatalog
  readonly requests: McpRequests
  readonly callTimeoutMs: number
  /** The newest connection, kept when it broke: what the server said of itself is still true. */
  readonly last: Connection | undefined
  close(): Promise<McpStopReport>
}

export interface ServerSessionOptions extends Pick<OpenMcpServerOptions, 'onStatus' | 'onNotification'> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

const RELIST_MS = 500

export function createServerSession(
  definition: McpServerDefinition,
  { onStatus, onNotification, environment, now }: ServerSessionOptions,
): ServerSession {
  const { name, callTimeoutMs = 60_000 } = definition
  let last: Connection | undefined
  let relisting: NodeJS.Timeout | undefined

  function onToolsChanged(): void {
    catalog.expire()
    catalog.renew()
  }

  async function open(signal: AbortSignal): Promise<Connection> {
    const connection = await openConnection(definition, {
      environment,
      signal,
      onToolsChanged,
      onNotification: (method, params) => callListener(() => onNotification?.(method, params)),
    })
    const { link } = connection
    void link.ended?.then(() => supervisor.lose(connection, link.describe()))
    // What a server behind a URL announces before its event stream is open is lost: ask once more after that.
    if (link.pid === undefined) relisting = setTimeout(onToolsChanged, RELIST_MS)
    last = connection
    // Another process may have other tools: what expired with the one before is looked at again.
    catalog.renew()
    return connection
  }

  const supervisor = createServerSupervisor({
    server: name,
    open,
    onStatus: status => {
      if (status.state === 'failed') catalog.expire()
      callListener(() => onStatus?.(status))
    },
    now,
  })
  const requests = createMcpRequests(createAskServer({ server: name, callTimeoutMs, supervisor }))
  const catalog = createToolCatalog({ fetch: requests.fetchTools })

  return {
    supervisor,
    catalog,
    requests,
    callTimeoutMs,
    get last() {
      return last
    },
    close() {
      clearTimeout(relisting)
      return supervisor.close()
    },
  }
}
