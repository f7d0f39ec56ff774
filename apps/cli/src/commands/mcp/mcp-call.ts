import { ParleyError } from '@parley/core'
import type { McpContent, McpServer } from '@parley/mcp'
import type { Command } from 'commander'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { parsePair } from '../../flags/option-values.ts'
import { DEFAULT_MCP_FILE, findMcpServer, openTokenStore } from '../../compose/mcp-servers.ts'

/** Adds the command `parley mcp call NAME TOOL [ARGUMENTS]`. */
export function addMcpCallCommand(parent: Command, terminal: Terminal): void {
  const command = parent
    .command('call')
    .summary('call a tool of a server')
    .description('Calls a tool of a server and prints its result. The exit code is 1 if the tool reports an error.')
    .argument('<server>', 'name of the server')
    .argument('<tool>', 'name of the tool on the server')
    .argument('[arguments...]', 'arguments: key=value pairs, or one JSON object')
    .option('-c, --config <file>', 'file with the MCP servers', DEFAULT_MCP_FILE)
    .option('--json', 'print the whole result as JSON')
    .action(async (...given: [name: string, tool: string, words: readonly string[], flags: CallFlags]) => {
      const [name, tool, words, { config, json }] = given
      const { openMcpServer } = await import('@parley/mcp')
      // Checked before the server starts.
      const whole = wholeObject(words)
      const definition = await findMcpServer(config, name)
      await using server = await openMcpServer(definition, { tokenStore: await openTokenStore() })
      const input = whole ?? parsePairs(words, await schemaOf(server, tool))
      const result = await server.callTool(tool, input)
      const shown = json === true ? JSON.stringify(result) : result.content.map(part => show(part)).join('\n')
      terminal.out(`${shown}\n`)
      process.exitCode = result.isError === true ? 1 : 0
    })
  withExamples(command, [
    ['mcp call fs read_text_file path=README.md', 'arguments as key=value pairs'],
    [`mcp call fs read_text_file '{"path":"README.md"}'`, 'arguments as JSON'],
  ])
}

interface CallFlags {
  readonly config: string
  readonly json?: boolean
}

/** The arguments as one JSON object, if they are not `key=value` pairs. */
function wholeObject(words: readonly string[]): object | undefined {
  const [first] = words
  if (first === undefined) return {}
  if (words.length > 1 || /^[^\s[{"]+=/.test(first)) {
    for (const word of words) parsePair(word, 'arguments', 'key=value pairs, or one JSON object')
    return undefined
  }
  try {
    const value: unknown = JSON.parse(first)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    throw notAnObject(cause)
  }
  throw notAnObject(undefined)
}

function notAnObject(cause: unknown): ParleyError {
  const detail = 'must be key=value pairs, or one JSON object'
  return new ParleyError({ code: 'config-invalid', path: 'arguments', detail }, { cause })
}

/** Types of a tool's arguments by name, as its schema declares them. */
async function schemaOf(server: McpServer, tool: string): Promise<Readonly<Record<string, unknown>>> {
  const found = (await server.listTools()).find(({ name }) => name === tool)
  const schema = found?.inputSchema as { readonly properties?: Record<string, { type?: unknown }> } | undefined
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, { type }]) => [name, type]))
}

/**
 * Converts `key=value` pairs to arguments. Values of text arguments stay as they are; all others are read as JSON, if
 * they are JSON.
 */
function parsePairs(words: readonly string[], types: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const word of words) {
    const [name, text] = parsePair(word, 'arguments', 'key=value pairs, or one JSON object')
    input[name] = types[name] === 'string' ? text : jsonOr(text)
  }
  return input
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function show(part: McpContent): string {
  const { type, text, mimeType, uri } = part
  if (type === 'text') return String(text)
  return `[${[type, mimeType, uri].filter(fact => typeof fact === 'string').join(' ')}]`
}
