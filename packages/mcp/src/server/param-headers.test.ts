import type { Tool, ToolSource } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openMcpServer } from '../client/open-mcp-server.ts'
import { createMcpServer } from './create-mcp-server.ts'

const REVISION = '2026-07-28'

/** A tool that repeats its input. Clients mirror three of its arguments in headers. */
const echo: Tool = {
  name: 'echo',
  description: 'Repeats its input.',
  input: {
    type: 'object',
    properties: {
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
      place: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
      text: { type: 'string' },
    },
  },
  execute: async input => JSON.stringify(input),
}

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

interface Answer {
  readonly status: number
  readonly body: { readonly error?: { readonly code: number }; readonly result?: unknown }
}

/** Calls `echo` as a client of the revision 2026-07-28 does, with these headers in addition. */
async function call(
  server: { fetch(request: Request): Promise<Response> },
  args: Fields,
  headers: Headers = {},
): Promise<Answer> {
  const prefix = 'io.modelcontextprotocol'
  const _meta = {
    [`${prefix}/protocolVersion`]: REVISION,
    [`${prefix}/clientInfo`]: { name: 'probe', version: '1' },
    [`${prefix}/clientCapabilities`]: {},
  }
  const common = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: args, _meta } }
  const init = { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify(message) }
  const response = await server.fetch(new Request('http://127.0.0.1/mcp', init))
  const text = await response.text()
  const json = text.startsWith('{') ? text : (/^data: ([{].*)$/m.exec(text)?.[1] ?? 'null')
  return { status: response.status, body: JSON.parse(json) as Answer['body'] }
}

describe('the server in the revision 2026-07-28', () => {
  it.each<[string, Fields, Headers]>([
    ['a missing header', { count: 42 }, {}],
    ['another number', { count: 42 }, { 'Mcp-Param-Count': '41' }],
    ['another boolean', { flag: true }, { 'Mcp-Param-Flag': 'false' }],
    ['a missing header of a nested argument', { place: { city: 'Bonn' } }, {}],
    ['another text', { place: { city: 'Bonn' } }, { 'Mcp-Param-City': 'bonn' }],
    ['invalid Base64', { place: { city: 'Bonn' } }, { 'Mcp-Param-City': '=?base64?%%%?=' }],
    ['one of two headers', { flag: true, count: 1 }, { 'Mcp-Param-Flag': 'true' }],
  ])('the server rejects a call with %s as HeaderMismatch, and does not run the tool', async (_, args, headers) => {
    let runs = 0
    const counted: Tool = { ...echo, execute: async () => `${(runs += 1)}` }
    await using server = createMcpServer({ name: 'ours', version: '1', tools: [counted] })
    expect(await call(server, args, headers)).toMatchObject({ status: 400, body: { error: { code: -32_020 } } })
    expect(runs).toBe(0)
  })

  it.each<[string, Fields, Headers]>([
    ['equal values', { flag: true, count: 42 }, { 'Mcp-Param-Flag': 'true', 'Mcp-Param-Count': '42' }],
    ['an equal number in another form', { count: 42 }, { 'Mcp-Param-Count': '42.0' }],
    ['an equal text in Base64', { place: { city: 'Bonn' } }, { 'Mcp-Param-City': `=?base64?${btoa('Bonn')}?=` }],
    ['a header of an argument that it does not have', { text: 'x' }, { 'Mcp-Param-City': 'ignored' }],
  ])('the server accepts a call with %s', async (_, args, headers) => {
    await using server = createMcpServer({ name: 'ours', version: '1', tools: [echo] })
    const { status, body } = await call(server, args, headers)
    expect(body.result).toMatchObject({ content: [{ type: 'text', text: JSON.stringify(args) }] })
    expect(status).toBe(200)
  })

  it('the server checks the headers of tools that a source lists, and lists the source once for each call', async () => {
    let listings = 0
    const source: ToolSource = {
      name: 'source',
      tools: async () => {
        listings += 1
        return [echo]
      },
      [Symbol.asyncDispose]: async () => {},
    }
    await using server = createMcpServer({ name: 'ours', version: '1', tools: [source] })
    expect(await call(server, { count: 1 })).toMatchObject({ status: 400 })
    expect(await call(server, { count: 1 }, { 'Mcp-Param-Count': '1' })).toMatchObject({ status: 200 })
    expect(listings).toBe(2)
  })
})

describe('our client', () => {
  it.each([true, false])(
    'our client sends the headers that the server requires (tools listed before: %s)',
    async listed => {
      await using server = createMcpServer({ name: 'ours', version: '1', tools: [echo] })
      const { url } = await server.listen()
      const client = await openMcpServer({ transport: 'http', name: 'web', url, protocol: REVISION })
      try {
        if (listed) await client.listTools()
        const input = { count: 7, flag: false, place: { city: 'Köln ' }, text: 'x' }
        const { content, isError } = await client.callTool('echo', input)
        expect(isError).not.toBe(true)
        expect(JSON.parse(String(content[0]?.['text']))).toEqual(input)
      } finally {
        await client.close()
      }
    },
  )
})
