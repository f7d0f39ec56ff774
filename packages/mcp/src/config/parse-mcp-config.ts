import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import { checkServerDefinition } from './check-server-definition.ts'
import { expandVariables } from './expand-variables.ts'
import type { McpServerDefinition } from './mcp-server-definition.ts'

/** Options of `parseMcpConfig`. */
export interface ParseMcpConfigOptions {
  /** Name of the file in errors. @default 'mcp.json' */
  readonly path?: string | undefined
  /** Values for `${NAME}`, `${env:NAME}` and `${NAME:-default}` in strings. @default {} */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
}

type Fields = Readonly<Record<string, unknown>>

const TRANSPORTS = new Map<unknown, McpServerDefinition['transport']>([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
])

const PARLEY_FIELDS = ['startupTimeoutMs', 'callTimeoutMs', 'protocol', 'tools'] as const

const OPTIONS: OptionKinds<ParseMcpConfigOptions> = {
  path: 'string',
  environment: 'object',
}

/**
 * Reads the `mcp.json` of other clients: `{ "mcpServers": { name: { command, args, env, cwd } | { url, headers, type } } }`,
 * or the same under `servers`. Only Parley reads `auth`, `startupTimeoutMs`, `callTimeoutMs`, `protocol` and `tools`; they
 * mean the same as in a definition. Skips servers with `"disabled": true`. Ignores unknown fields.
 * @throws ParleyError `config-invalid` with the path of the invalid field, for example `mcp.json#mcpServers.fs.cwd`.
 */
export function parseMcpConfig(json: string, options: ParseMcpConfigOptions = {}): readonly McpServerDefinition[] {
  checkOptions('parseMcpConfig', options, OPTIONS)
  const { path = 'mcp.json', environment = {} } = options
  const file = asObject(parse(json, path), path)
  const key = file['mcpServers'] === undefined && file['servers'] !== undefined ? 'servers' : 'mcpServers'
  return Object.entries(asObject(file[key], `${path}#${key}`)).flatMap(([name, value]) => {
    const at = `${path}#${key}.${name}`
    const fields = asObject(expandVariables(value, { path: at, environment }), at)
    return fields['disabled'] === true ? [] : [toMcpDefinition(name, fields, at)]
  })
}

/**
 * Converts one entry of `mcpServers` to a definition. Does not replace variables.
 * @param path Path of the entry for errors.
 * @throws ParleyError `config-invalid` with the path of the invalid field.
 */
export function toMcpDefinition(
  name: string,
  server: Readonly<Record<string, unknown>>,
  path: string,
): McpServerDefinition {
  const definition = toDefinition(name, server, path)
  checkServerDefinition(definition, path)
  return definition
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    refuse(path, `must be valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function toDefinition(name: string, fields: Fields, at: string): McpServerDefinition {
  const { type, command, url } = fields
  if (command !== undefined && url !== undefined) refuse(at, `must have 'command' or 'url', not both`)
  if (command === undefined && url === undefined) refuse(at, `must have 'command' or 'url'`)
  const transport = type === undefined ? (url === undefined ? 'stdio' : 'http') : TRANSPORTS.get(type)
  if (transport === undefined) refuse(`${at}.type`, `${JSON.stringify(type)} is unknown; known: stdio, http, sse`)
  const taken = transport === 'stdio' ? ['command', 'args', 'env', 'cwd'] : ['url', 'headers', 'auth']
  const known = [...taken, ...PARLEY_FIELDS].flatMap(key => (fields[key] === undefined ? [] : [[key, fields[key]]]))
  // The caller checks the shape.
  return { name, transport, ...Object.fromEntries(known) } as McpServerDefinition
}

function asObject(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  refuse(path, value === undefined ? 'is missing' : 'must be an object')
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
