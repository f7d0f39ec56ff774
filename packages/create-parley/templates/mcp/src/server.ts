import { defineTool, type Model } from '@parley/core'
import { createRuntime, defineAgent, type RuntimeOptions } from '@parley/engine'
import { createMcpServer } from '@parley/mcp'
import { calculator } from '@parley/tools/math'
import * as z from 'zod'

/** An MCP server with a tool of its own, and with an agent as a tool. */
export function createServer({
  model,
  ...options
}: { readonly model: Model } & Pick<RuntimeOptions, 'store' | 'resources'>) {
  const assistant = defineAgent({ name: 'assistant', model, tools: [calculator] })
  const runtime = createRuntime({ agents: [assistant], ...options })

  const reverse = defineTool({
    name: 'reverse',
    description: 'Writes a text backwards.',
    input: z.object({ text: z.string() }),
    effect: 'read',
    execute: ({ text }) => text.split('').toReversed().join(''),
  })
  const ask = defineTool({
    name: 'ask',
    description: 'Asks an assistant that can calculate.',
    input: z.object({ question: z.string() }),
    execute: async ({ question }, { signal }) => (await runtime.invoke('assistant', question, { signal })).text,
  })
  const server = createMcpServer({ name: 'my-server', version: '0.1.0', tools: [reverse, ask] })
  return {
    server,
    async close(): Promise<void> {
      await server.close()
      await runtime.close()
    },
  }
}
