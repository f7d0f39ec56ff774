import { ParleyError } from '@parley/core'
import type { ServerOptions } from '@parley/server'
import { Option, type Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { toMetadata, withAgentFlags, withConfigFlag, withDatabase, type AgentFlags } from '../flags/agent-flags.ts'
import { interrupted } from './wait-for-interrupt.ts'
import { openComposition } from '../compose/open-composition.ts'
import { shownDatabase } from '../store/shown-database.ts'
import type { Terminal } from '../render/terminal.ts'
import { toPort } from '../flags/to-port.ts'

interface ServeFlags extends AgentFlags {
  readonly db: string
  readonly port: number
  readonly host: string
  readonly cors?: readonly string[]
  readonly profile: 'standard' | 'reference'
}

/** `parley serve` */
export function addServeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('serve')
    .summary('offer the agent over HTTP')
    .description(
      'Offers the agent over HTTP until it is interrupted: the Agent API, OpenAI-shaped endpoints, AG-UI and AI SDK UI, ' +
        'and its tools to MCP clients. ' +
        'Listens on loopback unless PARLEY_API_KEYS names keys, separated by commas.',
    )
  withDatabase(withAgentFlags(withConfigFlag(command)))
    .addOption(new Option('-p, --port <n>', 'port to listen on; 0 for any').default(8080).argParser(toPort))
    .option('--host <address>', 'address to listen on; anything but loopback wants PARLEY_API_KEYS', '127.0.0.1')
    .addOption(
      new Option(
        '--cors <origin>',
        "origin of web pages that may use the server, '*' for all; may be repeated",
      ).argParser((origin: string, before: readonly string[] | undefined) => [...(before ?? []), origin]),
    )
    .addOption(
      new Option('--profile <name>', "'reference' for Agent API clients that know no end but completed and failed")
        .choices(['standard', 'reference'])
        .default('standard'),
    )
    .action((flags: ServeFlags) => serve(flags, terminal))
}

async function serve(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const [{ hashApiKey, openServer }, { createMcpServer }] = await Promise.all([
    import('@parley/server'),
    import('@parley/mcp'),
  ])
  const { port, host, cors: corsOrigins, profile } = flags
  await using composition = await openComposition(flags, flags.db)
  const { runtime, store, agents, tools, model, closeOptions } = composition
  const keys = readKeys(process.env['PARLEY_API_KEYS']).map((key, index) => ({
    name: `key-${index + 1}`,
    hash: hashApiKey(key),
    scope: 'default',
  }))
  const onError: ServerOptions['onError'] = (error, { requestId }) => {
    terminal.error(`parley: request ${requestId}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
  await using mcp = createMcpServer({ name: 'parley', version: manifest.version, tools })
  const metadata = toMetadata(flags)
  const options = { runtime, store, agents, keys, port, host, corsOrigins, profile, metadata, onError, mcp }
  const stopping = interrupted()
  await using server = await openServer(options)
  const taken = server.recovered === 0 ? '' : `, ${server.recovered} unfinished runs taken up`
  const served = agents.length === 1 ? model : agents.map(({ name }) => name).join(', ')
  terminal.out(`${served} on ${server.url}${taken}\n`)
  terminal.out(`  POST ${server.url}/process · ${server.url}/openapi.json · journal ${shownDatabase(flags.db)}\n`)
  await stopping
  terminal.out('closing\n')
  await server.close({ drainMs: closeOptions.drainMs })
}

function readKeys(text = ''): string[] {
  const keys = text
    .split(',')
    .map(key => key.trim())
    .filter(key => key !== '')
  const short = keys.find(key => key.length < 16)
  if (short === undefined) return keys
  const detail = `a key has ${short.length} characters; use 16 or more, at random`
  throw new ParleyError({ code: 'config-invalid', path: 'PARLEY_API_KEYS', detail })
}
