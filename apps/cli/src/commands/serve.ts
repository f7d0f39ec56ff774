import type { ServerOptions } from '@parley/server'
import { Option, type Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../flags/agent-flags.ts'
import { readKeys, toTokenIssuers, withTokenFlags, type TokenFlags } from '../flags/client-access.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { repeatable, toCount, toMilliseconds, toPort, toRules } from '../flags/option-values.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { redactDatabase } from '../store/database.ts'
import { waitForInterrupt } from './wait-for-interrupt.ts'

interface ServeFlags extends AgentFlags, TokenFlags {
  readonly db: string
  readonly port: number
  readonly host: string
  readonly cors?: readonly string[]
  readonly profile: 'standard' | 'reference'
  readonly onDisconnect?: readonly string[]
  readonly onBusy?: readonly string[]
  readonly retryWindow: number
  readonly resumeEvery: number
  readonly studio?: boolean
}

const PROTOCOLS = ['agent-api', 'openai-responses', 'openai-chat', 'ag-ui', 'ai-sdk-ui'] as const

/** Defines the command `parley serve`. */
export function defineServeCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Serves the agent over HTTP until Ctrl-C: the Agent API, OpenAI-compatible endpoints, AG-UI and AI SDK UI. MCP ' +
      'clients get its tools at /mcp. Clients send one of the API keys in PARLEY_API_KEYS, or a token of --jwt-issuer. ' +
      'PARLEY_API_KEYS is a list of name:key, separated by commas. Each name sees only its own runs; name@scope:key ' +
      'shares a scope, and :viewer, :operator or :admin after a key gives access to the Runs API. Without keys and tokens, the server listens only on loopback.',
  )
  withTokenFlags(withDatabaseFlag(withAgentFlags(withConfigFlag(command))))
    .addOption(new Option('-p, --port <n>', 'port to listen on; 0 picks a free one').default(8080).argParser(toPort))
    .option(
      '--host <address>',
      'address to listen on; an address other than loopback requires PARLEY_API_KEYS or --jwt-issuer',
      '127.0.0.1',
    )
    .addOption(repeatable('--cors <origin>', "origin of web pages that may send requests; '*' allows all"))
    .addOption(
      new Option(
        '--profile <name>',
        "'reference' is for Agent API clients that recognize only completed and failed as the end",
      )
        .choices(['standard', 'reference'])
        .default('standard'),
    )
    .option('--studio', 'serve Parley Studio, a web page that shows every run, at /studio/')
    .addOption(
      repeatable(
        '--on-disconnect <rule>',
        "what happens to the run of a client that disconnects: 'continue' or 'cancel', or for one protocol 'ai-sdk-ui=cancel'",
      ),
    )
    .addOption(
      repeatable(
        '--on-busy <rule>',
        "what happens to a message for a session that has an unfinished run: 'queue', 'cancel' or 'refuse', or 'ag-ui=queue'",
      ),
    )
    .addOption(
      new Option('--retry-window <ms>', 'time in which an equal request counts as a retry; 0 turns this off')
        .default(10_000)
        .argParser((text: string) => toMilliseconds(text, '--retry-window')),
    )
    .addOption(
      new Option('--resume-every <ms>', 'time between two searches for runs of dead processes')
        .default(3_000)
        .argParser((text: string) => toCount(text, '--resume-every')),
    )
    .action((flags: ServeFlags) => serve(flags, terminal))
  withExamples(command, [
    ['serve --port 8080', 'serves the default agent on loopback'],
    ['serve --config parley.yaml', 'serves the agents of a file'],
  ])
}

async function serve(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const [{ openComposition }, { hashApiKey, openServer }, { createMcpServer }] = await Promise.all([
    import('../compose/open-composition.ts'),
    import('@parley/server'),
    import('@parley/mcp'),
  ])
  const { port, host, cors: corsOrigins, profile } = flags
  await using composition = await openComposition(flags, flags.db)
  const { runtime, agents, tools, model, closeOptions } = composition
  const keys = readKeys(process.env['PARLEY_API_KEYS'], hashApiKey)
  const tokens = toTokenIssuers(flags)
  const onError: ServerOptions['onError'] = (error, { requestId, runId }) => {
    const where = runId === undefined ? '' : ` (run ${runId})`
    terminal.error(`parley: request ${requestId}${where}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
  const reportCall = (error: Error): void => terminal.error(`parley: MCP: ${error.message}\n`)
  await using mcp = createMcpServer({ name: 'parley', version: manifest.version, tools, onError: reportCall })
  const metadata = toMetadata(flags)
  const access = { keys, tokens, port, host, corsOrigins }
  const rules = {
    onDisconnect: toRules(flags.onDisconnect ?? [], {
      flag: '--on-disconnect',
      names: PROTOCOLS,
      values: ['continue', 'cancel'],
    }),
    onBusy: toRules(flags.onBusy ?? [], { flag: '--on-busy', names: PROTOCOLS, values: ['queue', 'cancel', 'refuse'] }),
    retryWindowMs: flags.retryWindow,
    resumeEveryMs: flags.resumeEvery,
  }
  const studio = flags.studio === true ? await openStudio(keys.length + tokens.length === 0) : {}
  const options = { ...access, ...rules, ...studio, runtime, agents, profile, metadata, onError, mcp }
  const stopping = waitForInterrupt()
  await using server = await openServer(options)
  const recovered = server.recovered === 0 ? '' : `, ${server.recovered} unfinished runs resumed`
  const served = agents.length === 1 ? model : agents.map(({ name }) => name).join(', ')
  terminal.out(`${served} on ${server.url}${recovered}\n`)
  terminal.out(`  POST ${server.url}/process · ${server.url}/openapi.json · journal ${redactDatabase(flags.db)}\n`)
  if (flags.studio === true) terminal.out(`  Parley Studio on ${server.url}/studio/\n`)
  await stopping
  terminal.out('closing\n')
  await server.close({ drainMs: closeOptions.drainMs })
}

/** The page, and the access to the Runs API behind it: all of it for the user of this machine, otherwise as each key says. */
async function openStudio(isOpen: boolean): Promise<Pick<ServerOptions, 'studio' | 'access'>> {
  const { studioAssets } = await import('@parley/studio')
  return { studio: await studioAssets(), ...(isOpen ? { access: 'admin' } : {}) }
}
