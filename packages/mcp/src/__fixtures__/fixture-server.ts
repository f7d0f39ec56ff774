import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { McpStdioDefinition } from '../config/mcp-server-definition.ts'

/** Returns the definition of one of the servers in this folder. */
export function fixtureServer(file: string, fields: Partial<McpStdioDefinition> = {}): McpStdioDefinition {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return { transport: 'stdio', name: 'fix', command: process.execPath, ...fields, args: [path, ...(fields.args ?? [])] }
}

/** Returns the definition of a published server. */
export function publishedServer(specifier: string, fields: Partial<McpStdioDefinition> = {}): McpStdioDefinition {
  const path = fileURLToPath(import.meta.resolve(specifier))
  return { transport: 'stdio', name: 'real', command: process.execPath, ...fields, args: [path, ...(fields.args ?? [])] }
}

/** Whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
