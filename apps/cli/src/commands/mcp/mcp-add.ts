import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { ParleyError } from '@parley/core'
import { Option, type Command } from 'commander'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_MCP_FILE } from '../../compose/mcp-servers.ts'
import { readTextFile } from '../../compose/read-text-file.ts'
import { parsePair } from '../../flags/option-values.ts'

interface AddFlags {
  readonly config: string
  readonly url?: string
  readonly transport: 'http' | 'sse'
  readonly env: Record<string, string>
  readonly header: Record<string, string>
  readonly force?: boolean
}

/** Adds the command `parley mcp add NAME -- COMMAND ARGS…`. */
export function addMcpAddCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('add')
    .summary('add a server to mcp.json')
    .description(
      'Adds a local server with parley mcp add NAME -- COMMAND ARGS…, or a remote one with parley mcp add NAME --url URL.',
    )
    .usage('[options] <name> (-- <command...> | --url <url>)')
    .argument('<name>', 'name of the server')
    .argument('[command...]', 'command that starts the server, after --')
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .option('--url <url>', 'address of the server, instead of a command')
    .addOption(new Option('--transport <kind>', 'protocol of the URL').choices(['http', 'sse']).default('http'))
    .addOption(pairOption('--env', 'environment variable of the command'))
    .addOption(pairOption('--header', 'HTTP header for the URL'))
    .option('--force', 'replace an existing server with this name')
    .action(async (name: string, command: string[], flags: AddFlags) => {
      const { config, force } = flags
      const file = await readObject(config)
      // VS Code names this object `servers`.
      const key = file['mcpServers'] === undefined && file['servers'] !== undefined ? 'servers' : 'mcpServers'
      const servers = { ...(file[key] as Record<string, unknown> | undefined) }
      if (servers[name] !== undefined && force !== true) {
        const detail = 'already exists; --force replaces it'
        throw new ParleyError({ code: 'config-invalid', path: `${config}#${key}.${name}`, detail })
      }
      const entry = toEntry(command, flags)
      // Rejects an invalid entry before it is written.
      const { parseMcpConfig } = await import('@parley/mcp')
      const only = JSON.stringify({ mcpServers: { [name]: entry } })
      parseMcpConfig(only, { path: config, environment: process.env })
      const next = { ...file, [key]: { ...servers, [name]: entry } }
      // Headers and variables may contain secrets, so only the owner may read the file.
      await writeFile(`${config}.new`, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 })
      await rename(`${config}.new`, config)
      terminal.out(`Added ${name} to ${config}.\n`)
    })
  withExamples(command, [
    ['mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .', 'a local server'],
    ['mcp add tracker --url https://tracker.example/mcp', 'a remote server'],
  ])
}

function toEntry([command, ...args]: readonly string[], { url, transport, env, header }: AddFlags): object {
  if ((command === undefined) === (url === undefined)) {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'command',
      detail: 'requires either a command after -- or --url',
    })
  }
  if (url !== undefined) return { type: transport, url, ...(isEmpty(header) ? {} : { headers: header }) }
  return { command, args, ...(isEmpty(env) ? {} : { env }) }
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0
}

/** An option that collects `NAME=VALUE` pairs in a record. */
function pairOption(flag: string, description: string): Option {
  return new Option(`${flag} <NAME=VALUE>`, `${description}; may be repeated`)
    .default({}, 'none')
    .argParser((text: string, before: Readonly<Record<string, string>>) => {
      const [name, value] = parsePair(text, flag, 'NAME=VALUE')
      return { ...before, [name]: value }
    })
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) return {}
  const text = await readTextFile(path)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new ParleyError({ code: 'config-invalid', path, detail: 'must be valid JSON' }, { cause })
  }
  throw new ParleyError({ code: 'config-invalid', path, detail: 'must be a JSON object' })
}
