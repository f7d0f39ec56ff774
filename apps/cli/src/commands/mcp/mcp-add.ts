import { readFile, rename, writeFile } from 'node:fs/promises'
import { ParleyError } from '@parley/core'
import { Option, type Command } from 'commander'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_CONFIG } from '../../compose/mcp-servers.ts'

interface AddFlags {
  readonly config: string
  readonly url?: string
  readonly transport: 'http' | 'sse'
  readonly env: Record<string, string>
  readonly header: Record<string, string>
  readonly force?: boolean
}

/** `parley mcp add NAME -- COMMAND ARGS…` */
export function addMcpAddCommand(parent: Command, terminal: Terminal): void {
  parent
    .command('add')
    .summary('add a server to the file')
    .description('Adds a server: parley mcp add NAME -- COMMAND ARGS…, or parley mcp add NAME --url URL.')
    .argument('<name>', 'name of the server')
    .argument('[command...]', 'what starts the server, after --')
    .option('-c, --config <file>', 'file that names the servers', DEFAULT_CONFIG)
    .option('--url <url>', 'where the server is, instead of a command')
    .addOption(new Option('--transport <kind>', 'how the URL is spoken to').choices(['http', 'sse']).default('http'))
    .option('--env <NAME=VALUE>', 'variable for the command; may be repeated', addPair('--env'), {})
    .option('--header <NAME=VALUE>', 'header for the URL; may be repeated', addPair('--header'), {})
    .option('--force', 'replace a server of this name')
    .action(async (name: string, command: string[], flags: AddFlags) => {
      const { config, force } = flags
      const file = await readObject(config)
      // Some editors have the same under another key.
      const key = file['mcpServers'] === undefined && file['servers'] !== undefined ? 'servers' : 'mcpServers'
      const servers = { ...(file[key] as Record<string, unknown> | undefined) }
      if (servers[name] !== undefined && force !== true) {
        const detail = 'is already there; --force replaces it'
        throw new ParleyError({ code: 'config-invalid', path: `${config}#${key}.${name}`, detail })
      }
      const entry = toEntry(command, flags)
      // What could not be read back must not be written.
      const { parseMcpConfig } = await import('@parley/mcp')
      const only = JSON.stringify({ mcpServers: { [name]: entry } })
      parseMcpConfig(only, { path: config, environment: process.env })
      const next = { ...file, [key]: { ...servers, [name]: entry } }
      // Headers and variables may be secrets.
      await writeFile(`${config}.new`, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 })
      await rename(`${config}.new`, config)
      terminal.out(`added ${name} to ${config}\n`)
    })
}

function toEntry([command, ...args]: readonly string[], { url, transport, env, header }: AddFlags): object {
  if ((command === undefined) === (url === undefined)) {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'command',
      detail: 'give either a command after -- or --url',
    })
  }
  if (url !== undefined) return { type: transport, url, ...(isEmpty(header) ? {} : { headers: header }) }
  return { command, args, ...(isEmpty(env) ? {} : { env }) }
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0
}

function addPair(flag: string) {
  return (text: string, before: Record<string, string>): Record<string, string> => {
    const at = text.indexOf('=')
    if (at < 1) throw new ParleyError({ code: 'config-invalid', path: flag, detail: `must be NAME=VALUE` })
    return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
  }
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ParleyError({ code: 'file-unreadable', path, detail: String(cause) }, { cause })
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (cause) {
    throw new ParleyError({ code: 'config-invalid', path, detail: 'is not valid JSON' }, { cause })
  }
  throw new ParleyError({ code: 'config-invalid', path, detail: 'must be a JSON object' })
}
