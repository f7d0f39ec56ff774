import type { Reconciliation, ToolContext } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { defineWorkflow, type Workflow } from '@parley/workflow'
import { calling, effectTool, modelOf } from './parts.ts'
import type { Scenario, World } from './scenario.ts'

const definition: Workflow = {
  name: 'order',
  steps: [
    {
      type: 'parallel',
      name: 'branches',
      steps: [
        {
          type: 'sequence',
          steps: [
            { type: 'tool', tool: 'look' },
            { type: 'tool', tool: 'put' },
          ],
        },
        { type: 'agent', agent: 'helper', prompt: 'Help.' },
      ],
    },
    { type: 'approval', prompt: 'Pay? {{result}}' },
    { type: 'tool', tool: 'pay' },
  ],
  output: { branches: '{{steps.branches.output}}', paid: '{{result}}' },
}

/** Creates a tool that must not run twice, and whose `reconcile` finds out whether it has run. */
function pay(world: World) {
  const reconcile = (_: unknown, { idempotencyKey }: ToolContext): Reconciliation =>
    world.happened(idempotencyKey) ? { type: 'done', output: 'pay is done' } : { type: 'not-done' }
  return { ...effectTool(world, 'pay'), reconcile }
}

/** Scenarios with runs of a workflow, whose branches are child runs. */
export const workflowScenarios: readonly Scenario[] = [
  {
    name: 'a workflow with two branches, an approval and a tool step',
    decide: () => ({ type: 'approved' }),
    agents: world => {
      const put = effectTool(world, 'put', { effect: 'idempotent' })
      const model = modelOf(turn => (turn === 0 ? calling(0, 'put') : 'Helped.'))
      const helper = defineAgent({ name: 'helper', model, tools: [put] })
      const tools = [effectTool(world, 'look', { effect: 'read' }), put, pay(world)]
      return [defineWorkflow(definition, { agents: [helper], tools })]
    },
  },
]
