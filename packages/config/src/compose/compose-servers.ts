import type { ToolSource } from '@parley/core'
import type { ConfigData } from '../schema/config-schema.ts'
import type { ConfigRegistry } from './config-registry.ts'
import { reportMissing } from './report-missing.ts'
import type { Reporter } from './reporter.ts'
import { createServerGroup, type ServerGroup } from './server-group.ts'

/** The MCP servers of a configuration. */
export interface ComposedServers {
  /** The tools of each server, by its name. A server that the file disables is missing. */
  readonly sources: ReadonlyMap<string, ToolSource>
  /** The group that starts and closes the servers. `undefined` if the file has no servers. */
  readonly group: ServerGroup | undefined
}

/** Checks the MCP servers. None of them is started. */
export async function composeServers(
  { mcpServers = {}, mcpStartupPolicy }: ConfigData,
  { services = {} }: ConfigRegistry,
  reporter: Reporter,
): Promise<ComposedServers> {
  const enabled = Object.entries(mcpServers).filter(([, server]) => server.disabled !== true)
  const none = { sources: new Map(), group: undefined }
  if (Object.keys(mcpServers).length === 0) return none
  if (services.mcp === undefined) {
    reportMissing(reporter, ['mcpServers'])
    return none
  }
  const service = await services.mcp()
  const definitions = enabled.map(([name, server]) =>
    reporter.attempt(['mcpServers', name], () => service.define(name, server)),
  )
  const group = createServerGroup(({ startupPolicy = mcpStartupPolicy, ...options }) =>
    service.open(definitions, { ...options, startupPolicy }),
  )
  return { sources: new Map(enabled.map(([name]) => [name, group.source(name)])), group }
}
