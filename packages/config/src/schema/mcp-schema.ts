import * as z from 'zod'
import { anyJson, count, lasting, words } from './scalars.ts'

const names = z.array(words).optional()

const mcpServerSchema = z
  .strictObject({
    command: words.optional().describe('Program that runs the server. No shell interprets it.'),
    args: z.array(z.string()).optional().describe('Arguments of the program.'),
    env: z.record(words, z.string()).optional().describe('Environment variables of the program.'),
    cwd: words.optional().describe('Working directory of the program, from the folder of this file.'),
    type: z
      .enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'])
      .optional()
      .describe('Transport. Default: stdio with a command, http with a url.'),
    url: words.optional().describe('Address of a server that runs elsewhere.'),
    headers: z.record(words, z.string()).optional().describe('Headers of each request to the url.'),
    auth: z.record(words, anyJson).optional().describe('OAuth grant for the url, as in McpAuth of @parley/mcp.'),
    disabled: z.boolean().optional().describe('Whether the server is left out. Default: false.'),
    startupTimeoutMs: lasting
      .optional()
      .describe('Longest time from the start to the end of the handshake. Default: 10000.'),
    callTimeoutMs: lasting.optional().describe('Longest time of a request. Default: 60000.'),
    protocol: z.enum(['legacy', 'auto', '2026-07-28']).optional().describe('Protocol revision. Default: legacy.'),
    tools: z
      .strictObject({
        allow: names.describe('Tools to offer; * matches any characters. Default: all.'),
        deny: names.describe('Tools that are never offered.'),
        rename: z.record(words, words).optional().describe("Names that the model sees, by the server's name."),
        prefix: z.string().optional().describe('Prefix of other tool names. Default: mcp__<server>__.'),
        searchAboveTokens: count.optional().describe('Size of the tool list above which a search is offered instead.'),
      })
      .optional()
      .describe('Tools to offer, and their names.'),
  })
  .describe("An MCP server. An agent gets its tools by the server's name in 'tools'.")

/** The sections for MCP servers. `mcpServers` has the shape that other MCP clients use too. */
export const mcpSections = {
  mcpServers: z.record(words, mcpServerSchema).optional().describe('MCP servers by name, as in mcp.json.'),
  mcpStartupPolicy: z
    .enum(['fail-fast', 'log-and-continue'])
    .optional()
    .describe('What happens if an MCP server does not start: an error, or continue without it. Default: fail-fast.'),
}

export type McpServerData = z.output<typeof mcpServerSchema>
