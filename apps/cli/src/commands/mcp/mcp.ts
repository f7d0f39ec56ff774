import type { Command } from 'commander'
import type { Terminal } from '../../render/terminal.ts'
import { addMcpAddCommand } from './mcp-add.ts'
import { addMcpAuthCommand } from './mcp-auth.ts'
import { addMcpCallCommand } from './mcp-call.ts'
import { addMcpListCommand } from './mcp-list.ts'
import { addMcpServeCommand } from './mcp-serve.ts'
import { addMcpToolsCommand } from './mcp-tools.ts'

/** Adds the command `parley mcp …`. */
export function addMcpCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('mcp')
    .summary('use MCP servers, or serve the agent as one')
    .description(
      'Manages the MCP servers in an mcp.json file, calls their tools, and serves the agent as an MCP server.',
    )
  for (const add of [
    addMcpListCommand,
    addMcpToolsCommand,
    addMcpCallCommand,
    addMcpAuthCommand,
    addMcpAddCommand,
    addMcpServeCommand,
  ])
    add(command, terminal)
}
