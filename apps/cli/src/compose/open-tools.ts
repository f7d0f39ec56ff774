import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError, type Tool, type ToolSource } from '@parley/core'
import type { McpServers } from '@parley/mcp'
import { createFileTools } from '@parley/tools/files'
import { calculator } from '@parley/tools/math'
import { createTimeTools } from '@parley/tools/time'
import { createWorkspace } from '@parley/tools/workspace'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { loadTools } from './load-tools.ts'
import { openTokenStore, readMcpConfig, warnSkipped } from './mcp-servers.ts'
import type { ResourceStack } from './resource-stack.ts'

/** The tools of the command line. */
export interface OpenedTools {
  readonly tools: readonly (Tool | ToolSource)[]
  /** The MCP servers of `--mcp`. @default none */
  readonly servers?: McpServers | undefined
}

export type ToolFlags = Pick<AgentFlags, 'root' | 'tools' | 'mcp' | 'mcpStartupPolicy'>

/**
 * Opens the built-in tools, the tools of `--tools` modules and the MCP servers of `--mcp`.
 * @throws ParleyError if a module, a file or a server fails.
 */
export async function openTools(flags: ToolFlags, resources: ResourceStack): Promise<OpenedTools> {
  const workspace = createWorkspace({ roots: [resolve(flags.root)] })
  const builtIn = [calculator, ...createTimeTools(), ...createFileTools({ workspace })]
  const loaded = (await Promise.all((flags.tools ?? []).map(path => loadTools(path)))).flat()
  if (flags.mcp === undefined) return { tools: [...builtIn, ...loaded] }
  const { openMcpServers } = await import('@parley/mcp')
  const definitions = await readMcpConfig(flags.mcp)
  const servers = resources.use(
    await openMcpServers(definitions, {
      tokenStore: await openTokenStore(),
      startupPolicy: flags.mcpStartupPolicy,
      onSkip: warnSkipped,
    }),
  )
  return { tools: [...builtIn, ...loaded, ...servers.servers], servers }
}

/** Checks `--root`. @throws ParleyError `config-invalid` if it is not a folder. */
export function checkRoot(root: string): void {
  const found = statSync(resolve(root), { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  const detail = found === undefined ? `the folder '${root}' does not exist` : `'${root}' is not a folder`
  throw new ParleyError({ code: 'config-invalid', path: '--root', detail })
}
