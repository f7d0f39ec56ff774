import { resolve } from 'node:path'
import type { Tool, ToolSource } from '@parley/core'
import { createFileTools } from '@parley/tools/files'
import { calculator } from '@parley/tools/math'
import { createTimeTools } from '@parley/tools/time'
import { createWorkspace } from '@parley/tools/workspace'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { loadTools } from './load-tools.ts'
import { openTokenStore, readMcpConfig } from './mcp-servers.ts'
import type { ResourceStack } from './resource-stack.ts'

/**
 * Opens the built-in tools, the tools of `--tools` modules and the MCP servers of `--mcp`.
 * @throws ParleyError if a module, a file or a server fails.
 */
export async function openTools(
  flags: Pick<AgentFlags, 'root' | 'tools' | 'mcp'>,
  resources: ResourceStack,
): Promise<readonly (Tool | ToolSource)[]> {
  const workspace = createWorkspace({ roots: [resolve(flags.root)] })
  const builtIn = [calculator, ...createTimeTools(), ...createFileTools({ workspace })]
  const loaded = (await Promise.all((flags.tools ?? []).map(path => loadTools(path)))).flat()
  if (flags.mcp === undefined) return [...builtIn, ...loaded]
  const { openMcpServers } = await import('@parley/mcp')
  const definitions = await readMcpConfig(flags.mcp)
  const { servers } = resources.use(await openMcpServers(definitions, { tokenStore: await openTokenStore() }))
  return [...builtIn, ...loaded, ...servers]
}
