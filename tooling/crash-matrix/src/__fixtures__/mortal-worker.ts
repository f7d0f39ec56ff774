import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type Tool } from '@parley/core'
import { agentTool, defineAgent } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { createRestateHost } from '@parley/restate'
import { scriptedModel, type Script } from '@parley/testing'

export interface MortalOrder {
  readonly url: string
  readonly schema: string
  /** The port that all workers share. */
  readonly port: number
  /** The file that gets a line for each start of a handler. */
  readonly effects: string
  /** Slow handlers end only when this file exists. */
  readonly gate: string
}

const { url, schema, port, effects, gate } = JSON.parse(process.argv[2] ?? '') as MortalOrder

function tool(name: string, effect: 'once' | 'read', isSlow: boolean): Tool {
  return defineTool({
    name,
    description: name,
    input: { type: 'object' },
    effect,
    execute: async (_, { signal }) => {
      appendFileSync(effects, `${name}\n`)
      if (isSlow) while (!existsSync(gate)) await sleep(10, undefined, { signal })
      return `${name} done`
    },
  })
}

/** Calls the tools in its first turn and answers `Done.` in the second. */
function calling(...names: readonly string[]): Script {
  const toolCalls = names.map(name => ({ name, input: name === 'help' ? { task: 'go' } : {} }))
  return ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? 'Done.' : { toolCalls })
}

const slow = [tool('slow_read', 'read', true), tool('slow_once', 'once', true)]
const agents = [
  defineAgent({
    name: 'batch',
    model: scriptedModel(calling('quick_once', 'quick_read', 'slow_read', 'slow_once')),
    tools: [tool('quick_once', 'once', false), tool('quick_read', 'read', false), ...slow],
  }),
  defineAgent({ name: 'lead', model: scriptedModel(calling('help')), tools: [agentTool('helper', { name: 'help' })] }),
  defineAgent({ name: 'helper', model: scriptedModel(calling('slow_read')), tools: slow }),
]
const store = await openPostgresStore({ url, schema, connections: 4 })
const host = createRestateHost({ store, agents })
await host.listen({ port, reusePort: true })
process.send?.('ready')
