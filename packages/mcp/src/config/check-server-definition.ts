import { isAbsolute } from 'node:path'
import { ParleyError, checkOptions, type OptionKinds } from '@parley/core'
import { checkAuth } from './check-auth.ts'
import { checkToolOptions } from './check-tool-options.ts'
import type {
  McpHttpDefinition,
  McpServerDefinition,
  McpServerFields,
  McpStdioDefinition,
} from './mcp-server-definition.ts'

const PROTOCOLS = new Set(['legacy', 'auto', '2026-07-28'])

const FIELDS: OptionKinds<McpServerFields> = {
  name: 'any',
  startupTimeoutMs: 'any',
  callTimeoutMs: 'any',
  protocol: 'any',
  tools: 'object',
}
const STDIO: OptionKinds<McpStdioDefinition> = {
  ...FIELDS,
  transport: 'any',
  command: 'any',
  args: 'any',
  env: 'any',
  cwd: 'any',
}
const HTTP: OptionKinds<McpHttpDefinition> = { ...FIELDS, transport: 'any', url: 'any', headers: 'any', auth: 'object' }

/**
 * Checks a server definition.
 * @param path Path of the definition for error messages. Field names are appended with a dot.
 * @throws ParleyError `config-invalid` naming the path of the first invalid field.
 */
export function checkServerDefinition(definition: McpServerDefinition, path: string): void {
  const { name, startupTimeoutMs, callTimeoutMs, protocol } = definition
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,32}$/.test(name)) {
    refuse(`${path}.name`, `must be 1 to 32 of the characters A-Z a-z 0-9 _ -, not ${show(name)}`)
  }
  checkTransport(definition, path)
  checkDuration(startupTimeoutMs, `${path}.startupTimeoutMs`)
  checkDuration(callTimeoutMs, `${path}.callTimeoutMs`)
  if (protocol !== undefined && !PROTOCOLS.has(protocol)) {
    refuse(`${path}.protocol`, `${show(protocol)} is unknown; known: legacy, auto, 2026-07-28`)
  }
  checkToolOptions(definition.tools ?? {}, `${path}.tools`)
}

function checkTransport(definition: McpServerDefinition, path: string): void {
  switch (definition.transport) {
    case 'stdio':
      return checkStdio(definition, path)
    case 'http':
    case 'sse':
      return checkHttp(definition, path)
    default: {
      const { transport } = definition as { transport?: unknown }
      refuse(`${path}.transport`, `${show(transport)} is unknown; known: stdio, http, sse`)
    }
  }
}

function checkStdio(definition: McpStdioDefinition, path: string): void {
  checkOptions(path, definition, STDIO)
  const { command, args, env, cwd } = definition
  if (typeof command !== 'string' || command.trim() === '') {
    refuse(`${path}.command`, 'must be the program that starts the server')
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(arg => typeof arg === 'string'))) {
    refuse(`${path}.args`, 'must be a list of strings')
  }
  checkRecord(env, `${path}.env`)
  if (cwd !== undefined && (typeof cwd !== 'string' || !isAbsolute(cwd))) {
    refuse(`${path}.cwd`, `must be an absolute path, not ${show(cwd)}`)
  }
}

function checkHttp(definition: McpHttpDefinition, path: string): void {
  checkOptions(path, definition, HTTP)
  const { url, headers, auth } = definition
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') {
    refuse(`${path}.url`, `must be an http: or https: URL, not ${show(url)}`)
  }
  checkRecord(headers, `${path}.headers`)
  if (auth !== undefined) checkAuth(auth, `${path}.auth`)
}

function checkRecord(record: Readonly<Record<string, string>> | undefined, path: string): void {
  if (record === undefined) return
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    refuse(path, 'must be an object of strings')
  }
  for (const [key, value] of Object.entries(record)) {
    // The value may be a secret: never show it.
    if (typeof value !== 'string') refuse(`${path}.${key}`, 'must be a string')
  }
}

function checkDuration(ms: number | undefined, path: string): void {
  if (ms !== undefined && !(Number.isFinite(ms) && ms > 0)) {
    refuse(path, `must be a positive number of milliseconds, not ${show(ms)}`)
  }
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
