/** The MCP server of a tool, and the tool's name on that server. */
export interface McpToolName {
  readonly server: string
  readonly tool: string
}

/** Reads a tool name of the form `mcp__<server>__<tool>`. `undefined` for every other name. */
export function parseMcpToolName(name: string): McpToolName | undefined {
  const match = /^mcp__(.+?)__(.+)$/.exec(name)
  return match === null ? undefined : { server: match[1] as string, tool: match[2] as string }
}
