import type { Command } from 'commander'
import type { Terminal } from '../../render/terminal.ts'
import { addMcpAddCommand } from './mcp-add.ts'
import { addMcpAuthCommand } from './mcp-auth.ts'
import { addMcpCallCommand } from './mcp-call.ts'
import { addMcpListCommand } from './mcp-list.ts'
import { addMcpServeCommand } from './mcp-serve.ts'
import { addMcpToolsCommand } from './mcp-tools.ts'

/** `parley mcp …` */
export function addMcpCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('mcp')
    .summary('look at MCP servers, call their tools, sign in to them, be one')
    .description(
      'Works with the MCP servers of an mcp.json file, in the shape other clients use, and serves an agent as one.',
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
