import type { Command } from 'commander'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { addMcpAddCommand } from './mcp-add.ts'
import { addMcpAuthCommand } from './mcp-auth.ts'
import { addMcpCallCommand } from './mcp-call.ts'
import { addMcpListCommand } from './mcp-list.ts'
import { addMcpServeCommand } from './mcp-serve.ts'
import { addMcpToolsCommand } from './mcp-tools.ts'

/** Defines the command `parley mcp …`. */
export function defineMcpCommand(command: Command, terminal: Terminal): void {
  command.description(
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
  withExamples(command, [
    ['mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .', 'adds a server'],
    ['mcp list', 'prints the state of each server'],
  ])
}
