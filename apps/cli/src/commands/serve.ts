import { ParleyError } from '@parley/core'
import type { ServerOptions } from '@parley/server'
import { Option, type Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { openComposition } from '../compose/open-composition.ts'
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { repeatable, toPort } from '../flags/option-values.ts'
import type { Terminal } from '../render/terminal.ts'
import { redactDatabase } from '../store/database.ts'
import { waitForInterrupt } from './wait-for-interrupt.ts'

interface ServeFlags extends AgentFlags {
  readonly db: string
  readonly port: number
  readonly host: string
  readonly cors?: readonly string[]
  readonly profile: 'standard' | 'reference'
}

/** Adds the command `parley serve`. */
export function addServeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('serve')
    .summary('serve the agent over HTTP')
    .description(
      'Serves the agent over HTTP until Ctrl-C: the Agent API, OpenAI-compatible endpoints, AG-UI and AI SDK UI. MCP ' +
        'clients get its tools at /mcp. Clients send one of the API keys in PARLEY_API_KEYS, which is a list separated by ' +
        'commas. Without keys, the server listens only on loopback.',
    )
  withDatabaseFlag(withAgentFlags(withConfigFlag(command)))
    .addOption(new Option('-p, --port <n>', 'port to listen on; 0 picks a free one').default(8080).argParser(toPort))
    .option(
      '--host <address>',
      'address to listen on; an address other than loopback requires PARLEY_API_KEYS',
      '127.0.0.1',
    )
    .addOption(repeatable('--cors <origin>', "origin of web pages that may send requests; '*' allows all"))
    .addOption(
      new Option(
        '--profile <name>',
        "'reference' is for Agent API clients that recognise only completed and failed as the end",
      )
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
  const stopping = waitForInterrupt()
  await using server = await openServer(options)
  const recovered = server.recovered === 0 ? '' : `, ${server.recovered} unfinished runs resumed`
  const served = agents.length === 1 ? model : agents.map(({ name }) => name).join(', ')
  terminal.out(`${served} on ${server.url}${recovered}\n`)
  terminal.out(`  POST ${server.url}/process · ${server.url}/openapi.json · journal ${redactDatabase(flags.db)}\n`)
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
  const detail = `every key must have at least 16 random characters; one has ${short.length}`
  throw new ParleyError({ code: 'config-invalid', path: 'PARLEY_API_KEYS', detail })
}
