import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { fixtureServer } from '../__fixtures__/fixture-server.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpTraceContext } from './request-meta.ts'
import { openMcpServer } from './open-mcp-server.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

async function metaOf(server: McpServer): Promise<unknown> {
  const { content } = await server.callTool('meta', {})
  return JSON.parse(String(content[0]?.['text'])) as unknown
}

describe('a trace context', () => {
  it('the trace context is sent with every request of its asynchronous context, beside the progress token', async () => {
    const active = new AsyncLocalStorage<McpTraceContext>()
    const traceContext = (): McpTraceContext | undefined => active.getStore()
    await using server = await openMcpServer(fixtureServer('tells-meta.mjs'), { traceContext })
    const context = { traceparent, tracestate: 'vendor=1', baggage: undefined }
    const [inside, outside, progress, [resource], prompt] = await active.run(context, () =>
      Promise.all([
        metaOf(server),
        active.exit(() => metaOf(server)),
        server.callTool('meta', {}, { onProgress: () => {} }),
        server.readResource('note:///one'),
        server.getPrompt('any'),
      ]),
    )
    const expected = { traceparent, tracestate: 'vendor=1' }
    expect([inside, outside]).toEqual([expected, null])
    expect(JSON.parse(String(progress.content[0]?.['text']))).toMatchObject({
      ...expected,
      progressToken: expect.any(Number) as number,
    })
    expect(JSON.parse(resource?.text ?? '')).toEqual(expected)
    expect(JSON.parse(String(prompt.messages[0]?.content['text']))).toEqual(expected)
  })

  it('no _meta is sent without a trace context', async () => {
    await using server = await openMcpServer(fixtureServer('tells-meta.mjs'))
    expect(await metaOf(server)).toBeNull()
  })
})
