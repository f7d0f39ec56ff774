import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ParleyError } from '@parley/core'
import type { McpServerDefinition, McpTokenStore } from '@parley/mcp'

export const DEFAULT_CONFIG = 'mcp.json'

/** @throws ParleyError `file-unreadable`; `config-invalid` for a file that says nothing sensible. */
export async function readMcpConfig(path: string): Promise<readonly McpServerDefinition[]> {
  const { parseMcpConfig } = await import('@parley/mcp')
  return parseMcpConfig(await readText(path), { path, environment: process.env })
}

/** @throws ParleyError `config-invalid` for a name the file does not have. */
export async function findMcpServer(path: string, name: string): Promise<McpServerDefinition> {
  const definitions = await readMcpConfig(path)
  const found = definitions.find(definition => definition.name === name)
  if (found !== undefined) return found
  const known = definitions.map(definition => definition.name).join(', ')
  const detail = `there is no server '${name}' (known: ${known === '' ? 'none' : known})`
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

/** Where tokens are kept that a user has agreed to: `~/.parley/mcp-tokens.json`, or `$PARLEY_MCP_TOKENS`. */
export async function openTokenStore(): Promise<McpTokenStore> {
  const { createFileTokenStore } = await import('@parley/mcp')
  return createFileTokenStore(process.env['PARLEY_MCP_TOKENS'] ?? join(homedir(), '.parley', 'mcp-tokens.json'))
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const detail = code === 'ENOENT' ? `there is no such file; 'parley mcp add' makes one` : (code ?? String(cause))
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
  }
}
