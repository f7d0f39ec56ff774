import type { ApprovalDecision } from '@parley/core'
import { agentTool, defineAgent } from '@parley/engine'
import { calling, effectTool, modelOf, type EffectToolOptions } from './parts.ts'
import type { Scenario, World } from './scenario.ts'

const ASKING = { permission: { effect: 'ask', prompt: 'Pay?' } } as const satisfies EffectToolOptions
const IN_A_HURRY = { permission: { effect: 'ask', prompt: 'Pay?', expiresInMs: 1 } } as const satisfies EffectToolOptions

function payer(world: World, options: EffectToolOptions = ASKING, name = 'worker') {
  const model = modelOf(turn => (turn === 0 ? calling(0, 'pay', 'look') : 'All done.'))
  const tools = [effectTool(world, 'pay', options), effectTool(world, 'look', { effect: 'read' })]
  return defineAgent({ name, description: 'Pays.', model, tools })
}

function deciding(name: string, ...decisions: readonly [ApprovalDecision, ...ApprovalDecision[]]): Scenario {
  const last = decisions.at(-1) ?? decisions[0]
  return { name, agents: world => [payer(world)], decide: nth => decisions[nth] ?? last }
}

/** Runs that are suspended for approval in one process and resumed in another. */
export const askingScenarios: readonly Scenario[] = [
  deciding('an approval', { type: 'approved' }),
  deciding('an approval of another input', { type: 'modified', input: { sum: 1 } }),
  deciding('a rejection', { type: 'rejected', reason: 'too much' }),
  deciding('an escalation', { type: 'escalated', roles: ['boss'] }, { type: 'approved' }),
  { name: 'a request that times out', agents: world => [payer(world, IN_A_HURRY)] },
  {
    name: 'an approval in a child run',
    decide: () => ({ type: 'approved' }),
    agents: world => {
      const sub = payer(world, ASKING, 'payer')
      const model = modelOf(turn =>
        turn === 0 ? { toolCalls: [{ name: 'payer', callId: 'c0', input: { task: 'pay' } }] } : 'All done.',
      )
      return [defineAgent({ name: 'lead', model, tools: [{ ...agentTool(sub), effect: 'idempotent' }] }), sub]
    },
  },
]
