import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { McpStdioDefinition } from '../config/mcp-server-definition.ts'

/** A loaded machine can need longer than the default to start a process. */
const startupTimeoutMs = 60_000

/** Returns the definition of one of the servers in this folder. */
export function fixtureServer(file: string, fields: Partial<McpStdioDefinition> = {}): McpStdioDefinition {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const args = [path, ...(fields.args ?? [])]
  return { transport: 'stdio', name: 'fix', command: process.execPath, startupTimeoutMs, ...fields, args }
}

/** Returns the definition of a published server. */
export function publishedServer(specifier: string, fields: Partial<McpStdioDefinition> = {}): McpStdioDefinition {
  const path = fileURLToPath(import.meta.resolve(specifier))
  const args = [path, ...(fields.args ?? [])]
  return { transport: 'stdio', name: 'real', command: process.execPath, startupTimeoutMs, ...fields, args }
}

/** Whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
