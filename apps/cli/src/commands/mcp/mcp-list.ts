import { describeError, ParleyError, toErrorInfo } from '@parley/core'
import type { McpServerDefinition, McpTokenStore } from '@parley/mcp'
import type { Command } from 'commander'
import { oneLine } from '../../render/one-line.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_MCP_FILE, openTokenStore, readMcpConfig } from '../../compose/mcp-servers.ts'

/** Adds the command `parley mcp list`. */
export function addMcpListCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('list')
    .summary('list the servers and their state')
    .description(
      'Connects to every server and prints its state and the number of its tools. Never opens a browser to sign in.',
    )
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .action(async ({ config }: { config: string }) => {
      const definitions = await readMcpConfig(config)
      const tokenStore = await openTokenStore()
      const reports = await Promise.all(definitions.map(definition => report(definition, tokenStore)))
      const width = Math.max(0, ...definitions.map(({ name }) => name.length))
      for (const [index, { mark, words }] of reports.entries()) {
        const { name = '', transport = '' } = definitions[index] ?? {}
        const shown = mark === 'ok' ? terminal.style('green', 'ok   ') : terminal.style('red', mark)
        terminal.out(`${shown} ${name.padEnd(width)} ${transport.padEnd(5)} ${oneLine(words, 400)}\n`)
      }
      if (definitions.length === 0) terminal.out(`${config} has no servers.\n`)
      process.exitCode = reports.every(({ mark }) => mark === 'ok') ? 0 : 2
    })
  withExamples(command, [['mcp list', 'connects to every server of mcp.json']])
}

interface Report {
  readonly mark: 'ok' | 'fault' | 'auth '
  readonly words: string
}

async function report(definition: McpServerDefinition, tokenStore: McpTokenStore): Promise<Report> {
  const { openMcpServer } = await import('@parley/mcp')
  try {
    await using server = await openMcpServer(definition, { tokenStore })
    const tools = await server.listTools()
    const { name, version } = server.serverInfo ?? { name: 'unknown', version: '' }
    const words = `${tools.length} tools, protocol ${server.protocolVersion ?? 'unknown'}, server ${name} ${version}`
    return { mark: 'ok', words: words.trim() }
  } catch (error) {
    if (!ParleyError.is(error, 'mcp-auth-required')) {
      return { mark: 'fault', words: describeError(toErrorInfo(error)) }
    }
    return { mark: 'auth ', words: `sign in with: parley mcp auth ${definition.name}` }
  }
}
