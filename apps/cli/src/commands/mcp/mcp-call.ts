import { ParleyError } from '@parley/core'
import type { McpContent } from '@parley/mcp'
import type { Command } from 'commander'
import type { Terminal } from '../../render/terminal.ts'
import { DEFAULT_MCP_FILE, findMcpServer, openTokenStore } from '../../compose/mcp-servers.ts'

/** Adds the command `parley mcp call NAME TOOL [ARGUMENTS]`. */
export function addMcpCallCommand(parent: Command, terminal: Terminal): void {
  parent
    .command('call')
    .summary('call a tool of a server')
    .description('Calls a tool of a server and prints its result. The exit code is 1 if the tool reports an error.')
    .argument('<server>', 'name of the server')
    .argument('<tool>', 'name of the tool on the server')
    .argument('[arguments]', 'arguments as a JSON object', '{}')
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .option('--json', 'print the whole result as JSON')
    .action(async (...given: [name: string, tool: string, text: string, flags: CallFlags]) => {
      const [name, tool, text, { config, json }] = given
      const input = parseArguments(text)
      const { openMcpServer } = await import('@parley/mcp')
      const definition = await findMcpServer(config, name)
      await using server = await openMcpServer(definition, { tokenStore: await openTokenStore() })
      const result = await server.callTool(tool, input)
      const shown = json === true ? JSON.stringify(result) : result.content.map(part => show(part)).join('\n')
      terminal.out(`${shown}\n`)
      process.exitCode = result.isError === true ? 1 : 0
    })
}

interface CallFlags {
  readonly config: string
  readonly json?: boolean
}

function parseArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    throw notAnObject(cause)
  }
  throw notAnObject(undefined)
}

function notAnObject(cause: unknown): ParleyError {
  return new ParleyError({ code: 'config-invalid', path: 'arguments', detail: 'must be a JSON object' }, { cause })
}

function show(part: McpContent): string {
  const { type, text, mimeType, uri } = part
  if (type === 'text') return String(text)
  return `[${[type, mimeType, uri].filter(fact => typeof fact === 'string').join(' ')}]`
}
