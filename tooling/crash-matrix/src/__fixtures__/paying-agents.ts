import { appendFileSync } from 'node:fs'
import { defineTool, type Permission, type Tool } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { calling, modelOf } from './parts.ts'

/** Milliseconds after which the request of the agent `hurried` expires. */
export const EXPIRES_MS = 60

/**
 * Agents whose tool `pay` adds the run's id to a file. It requires approval, except with `allowed`. `busy` works while
 * its request is pending, and the request of `hurried` expires.
 */
export function payingAgents(effects: string): readonly Agent[] {
  const pay = (permission: Permission): Tool =>
    defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission,
      execute: (_, { run }) => {
        appendFileSync(effects, `${run.runId}\n`)
        return 'paid'
      },
    })
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async () => {
      await new Promise(resolve => setTimeout(resolve, Math.random() * 8))
      return 'worked'
    },
  })
  const model = modelOf(turn => (turn === 0 ? calling(turn, 'pay') : 'All done.'))
  const both = modelOf(turn => (turn === 0 ? calling(turn, 'pay', 'work') : 'All done.'))
  return [
    defineAgent({ name: 'payer', model, tools: [pay('ask')] }),
    defineAgent({ name: 'busy', model: both, tools: [pay('ask'), work] }),
    defineAgent({ name: 'allowed', model, tools: [pay('allow')] }),
    defineAgent({ name: 'hurried', model, tools: [pay({ effect: 'ask', expiresInMs: EXPIRES_MS })] }),
  ]
}
