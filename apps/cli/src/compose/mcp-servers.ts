import { homedir } from 'node:os'
import { join } from 'node:path'
import { describeError, ParleyError, type ErrorInfo } from '@parley/core'
import type { McpServerDefinition, McpTokenStore } from '@parley/mcp'
import { readTextFile } from './read-text-file.ts'

export const DEFAULT_MCP_FILE = 'mcp.json'

/** Reads an mcp.json file. @throws ParleyError `file-unreadable`; `config-invalid` if the file is invalid. */
export async function readMcpConfig(path: string): Promise<readonly McpServerDefinition[]> {
  const { parseMcpConfig } = await import('@parley/mcp')
  const text = await readTextFile(path, "; 'parley mcp add' creates one")
  return parseMcpConfig(text, { path, environment: process.env })
}

/**
 * Finds the definition of a server in an mcp.json file.
 * @throws ParleyError `config-invalid` if the file has no server with this name.
 */
export async function findMcpServer(path: string, name: string): Promise<McpServerDefinition> {
  const definitions = await readMcpConfig(path)
  const found = definitions.find(definition => definition.name === name)
  if (found !== undefined) return found
  const known = definitions.map(definition => definition.name).join(', ')
  const detail = `server '${name}' is unknown; known: ${known === '' ? 'none' : known}`
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

/** Opens the file with the user's OAuth tokens: `$PARLEY_MCP_TOKENS`, or `~/.parley/mcp-tokens.json`. */
export async function openTokenStore(): Promise<McpTokenStore> {
  const { createFileTokenStore } = await import('@parley/mcp')
  return createFileTokenStore(process.env['PARLEY_MCP_TOKENS'] ?? join(homedir(), '.parley', 'mcp-tokens.json'))
}

/** Warns on standard error that the command continues without an MCP server. */
export function warnSkipped(server: string, error: ErrorInfo): void {
  const reason = describeError(error).replaceAll(/\s*\n\s*/g, ' ')
  process.stderr.write(`parley: continuing without the MCP server '${server}': ${reason}\n`)
}
