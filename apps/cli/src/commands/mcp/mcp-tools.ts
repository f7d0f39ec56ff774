import type { Command } from 'commander'
import { oneLine } from '../../render/one-line.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_MCP_FILE, findMcpServer, openTokenStore } from '../../compose/mcp-servers.ts'

/** Adds the command `parley mcp tools NAME`. */
export function addMcpToolsCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('tools')
    .summary('list the tools of a server')
    .description('Lists the tools of a server by the names that the server gives them.')
    .argument('<server>', 'name of the server')
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .option('--json', 'print every tool with its schemas as one line of JSON')
    .action(async (name: string, { config, json }: { config: string; json?: boolean }) => {
      const { openMcpServer } = await import('@parley/mcp')
      const definition = await findMcpServer(config, name)
      await using server = await openMcpServer(definition, { tokenStore: await openTokenStore() })
      const tools = await server.listTools()
      const width = Math.max(0, ...tools.map(tool => tool.name.length))
      for (const tool of tools) {
        const words = oneLine(tool.description ?? tool.title ?? '', (terminal.columns ?? 140) - width - 2)
        terminal.out(
          json === true ? `${JSON.stringify(tool)}\n` : `${tool.name.padEnd(width)}  ${words}`.trimEnd() + '\n',
        )
      }
    })
  withExamples(command, [['mcp tools fs', 'lists the tools of the server fs']])
}
