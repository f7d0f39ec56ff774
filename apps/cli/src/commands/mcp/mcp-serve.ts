import manifest from '../../../package.json' with { type: 'json' }
import type { McpAgentHost, McpToolServer } from '@parley/mcp'
import { Option, type Command } from 'commander'
import { toMetadata, withAgentFlags, withConfigFlag, type AgentFlags } from '../../flags/agent-flags.ts'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { waitForInterrupt } from '../wait-for-interrupt.ts'
import type { Composition } from '../../compose/open-composition.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { toPort } from '../../flags/option-values.ts'

interface McpServeFlags extends AgentFlags {
  readonly db: string
  readonly port?: number
  readonly offer: 'agent' | 'tools'
  readonly prompts?: readonly string[]
}

/** Adds the command `parley mcp serve`. */
export function addMcpServeCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('serve')
    .summary('serve the agent, or its tools, as an MCP server')
    .description(
      'Serves the agent as a tool for MCP clients: over stdin and stdout until they close, or with --port over HTTP on ' +
        'loopback until Ctrl-C. The database stores its runs like those of other commands.',
    )
  withDatabaseFlag(withAgentFlags(withConfigFlag(command)))
    .addOption(new Option('-p, --port <n>', 'serve over HTTP on this port; 0 picks a free one').argParser(toPort))
    .addOption(
      new Option(
        '--offer <what>',
        "'agent' offers the agent as one tool; 'tools' offers the agent's tools without a model",
      )
        .choices(['agent', 'tools'])
        .default('agent'),
    )
    .option('--prompts <file...>', 'offer these .prompty files as prompts')
    .action((flags: McpServeFlags) => serve(flags, terminal))
  withExamples(command, [
    ['mcp serve', 'serves the agent over stdio'],
    ['mcp serve --offer tools --port 9000', 'serves its tools over HTTP'],
    ['mcp serve --prompts review.prompty', 'offers a .prompty file as a prompt too'],
  ])
}

async function serve(flags: McpServeFlags, terminal: Terminal): Promise<void> {
  const { openComposition } = await import('../../compose/open-composition.ts')
  await using composition = await openComposition(flags, flags.db)
  await using server = await createServer(composition, flags, terminal)
  const { port } = flags
  if (port === undefined) return await server.serveStdio()
  const stopping = waitForInterrupt()
  const { url } = await server.listen({ port })
  terminal.out(`${flags.offer === 'tools' ? 'tools' : composition.model} on ${url}\n`)
  await stopping
  terminal.out('closing\n')
}

async function createServer(
  { tools, runtime }: Composition,
  flags: McpServeFlags,
  terminal: Terminal,
): Promise<McpToolServer> {
  const { agentsAsTools, createMcpServer } = await import('@parley/mcp')
  const { createPrompty } = await import('@parley/prompty/node')
  const { load, toServedPrompt } = createPrompty()
  const prompts = await Promise.all((flags.prompts ?? []).map(async path => await toServedPrompt(await load(path))))
  const metadata = toMetadata(flags)
  const host: McpAgentHost = {
    agents: runtime.agents,
    run: (name, input, options) => runtime.run(name, input, { ...options, metadata }),
  }
  return createMcpServer({
    name: 'parley',
    version: manifest.version,
    tools: flags.offer === 'agent' ? agentsAsTools(host) : tools,
    prompts,
    onError: error => terminal.error(`parley: ${error.message}\n`),
  })
}
