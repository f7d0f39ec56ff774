import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ParleyError, type Tool, type ToolSource } from '@parley/core'
import { createFileTools } from '@parley/tools/files'
import { calculator } from '@parley/tools/math'
import { createTimeTools } from '@parley/tools/time'
import { createWorkspace } from '@parley/tools/workspace'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { openTokenStore } from './mcp-servers.ts'
import type { Opening } from './resource-stack.ts'
import { loadTools } from './load-tools.ts'

/**
 * The tools of the command line itself, of the modules and of the MCP servers that the flags name.
 * @throws ParleyError for a module, a file or a server that cannot be used.
 */
export async function openTools(
  flags: Pick<AgentFlags, 'root' | 'tools' | 'mcp'>,
  opening: Opening,
): Promise<readonly (Tool | ToolSource)[]> {
  const workspace = createWorkspace({ roots: [resolve(flags.root)] })
  const own = [calculator, ...createTimeTools(), ...createFileTools({ workspace })]
  const loaded = (await Promise.all((flags.tools ?? []).map(path => loadTools(path)))).flat()
  if (flags.mcp === undefined) return [...own, ...loaded]
  const { openMcpServers, parseMcpConfig } = await import('@parley/mcp')
  const config = await readText(flags.mcp)
  const definitions = parseMcpConfig(config, { path: flags.mcp, environment: process.env })
  const { servers } = opening.use(await openMcpServers(definitions, { tokenStore: await openTokenStore() }))
  return [...own, ...loaded, ...servers]
}

/** @throws ParleyError `file-unreadable`. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const detail = code === 'ENOENT' ? 'there is no such file' : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
