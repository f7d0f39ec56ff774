import { isToolOutcome, type Tool, type ToolOutcome } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { fixtureServer, publishedServer } from '../__fixtures__/fixture-server.ts'
import { mcpTools } from './mcp-tools.ts'
import { openMcpServer } from '../client/open-mcp-server.ts'
import { estimateTokens } from './tool-search.ts'

async function run(tool: Tool | undefined, input: unknown): Promise<Extract<ToolOutcome, { content: unknown }>> {
  const { signal } = new AbortController()
  const facts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'x', path: [], context: undefined }
  const context = { signal, callId: 'c', idempotencyKey: 'k', progress: () => {}, run: facts }
  const result = await tool?.execute(input, context)
  return isToolOutcome(result) && 'content' in result ? result : expect.fail('no outcome')
}

const everything = () => openMcpServer(publishedServer('@modelcontextprotocol/server-everything/dist/index.js'))

describe('a view on many tools', () => {
  it('mcpTools offers a search instead of the tools above searchAboveTokens', async () => {
    await using server = await everything()
    const all = await server.tools()
    const tokens = estimateTokens(all)
    expect(tokens).toBeGreaterThan(500)
    expect(await mcpTools(server, { searchAboveTokens: tokens }).tools()).toHaveLength(all.length)
    const few = await mcpTools(server, { searchAboveTokens: tokens - 1 }).tools()
    expect(few.map(({ name, effect }) => [name, effect])).toEqual([
      ['mcp__real__tool_search', 'read'],
      ['mcp__real__tool_call', undefined],
    ])
    expect(estimateTokens(few)).toBeLessThan(tokens / 2)
  })

  it('tool_search finds tools by words, best match first, and tool_call calls them', async () => {
    await using server = await everything()
    const [search, call] = await mcpTools(server, { searchAboveTokens: 0, prefix: 'e_' }).tools()
    expect(search?.name).toBe('e_tool_search')
    const found = await run(search, { query: 'sum of two numbers', limit: 2 })
    expect(found).toMatchObject({
      type: 'ok',
      structured: [{ name: 'get-sum', arguments: { required: ['a', 'b'] } }, {}],
    })
    const sum = await run(call, { name: 'get-sum', arguments: { a: 2, b: 3 } })
    expect(sum.content[0]).toMatchObject({ text: expect.stringContaining('5') as string })
    expect((await run(search, { query: 'zzz' })).content[0]).toMatchObject({
      text: expect.stringMatching(/^None of \d+ tools matches/) as string,
    })
  })

  it('tool_search and tool_call ignore tools that are not allowed', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    const [search, call] = await mcpTools(server, { searchAboveTokens: 0, deny: ['crash'] }).tools()
    expect((await run(search, { query: 'crash' })).content[0]).toMatchObject({ text: expect.stringContaining('None') })
    expect(await run(call, { name: 'crash' })).toMatchObject({ type: 'error', retryable: false })
    expect(server.status.state).toBe('ready')
  })

  it('mcpTools rejects a searchAboveTokens that is not a number', async () => {
    await using server = await openMcpServer(fixtureServer('scripted.mjs'))
    expect(() => mcpTools(server, { searchAboveTokens: Number.NaN })).toThrow(
      'fix.tools.searchAboveTokens: must be a number of tokens, 0 or more, not NaN',
    )
  })
})
