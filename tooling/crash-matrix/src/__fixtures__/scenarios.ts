import { agentTool, defineAgent } from '@parley/engine'
import { fanOut } from '@parley/workflow/parallel'
import { truncateOldest } from '@parley/context-policies'
import { defineTool, type Reconciliation, type ToolContext } from '@parley/core'
import { askingScenarios } from './asking-scenarios.ts'
import { clientScenarios } from './client-scenarios.ts'
import { memoryScenarios } from './memory-scenarios.ts'
import { calling, effectTool, modelOf } from './parts.ts'
import type { Scenario, World } from './scenario.ts'
import { workflowScenarios } from './workflow-scenarios.ts'

const THREE = ['look', 'put', 'pay'] as const

function three(world: World) {
  return [
    effectTool(world, 'look', { effect: 'read' }),
    effectTool(world, 'put', { effect: 'idempotent' }),
    effectTool(world, 'pay'),
  ]
}

/** Creates an agent that calls the given tools in each turn and then answers `All done.` */
function worker(world: World, turns: readonly (readonly string[])[], fields: object = {}) {
  const model = modelOf(turn => {
    const tools = turns[turn]
    return tools === undefined ? 'All done.' : calling(turn, ...tools)
  })
  return defineAgent({ name: 'worker', model, tools: three(world), ...fields })
}

function forget(world: World) {
  return defineTool({
    name: 'forget',
    description: 'Takes the steps before it out of the context.',
    input: { type: 'object' },
    effect: 'idempotent',
    execute: async (_, { contextEditor, idempotencyKey }) => {
      world.effect(idempotencyKey)
      await contextEditor?.edit({ type: 'revert', step: 0, category: 'failure', summary: 'Nothing there.' })
      return 'forgotten'
    },
  })
}

function helper(world: World) {
  const model = modelOf(turn => (turn === 0 ? calling(0, 'put') : 'Helped.'))
  const tools = [effectTool(world, 'put', { effect: 'idempotent' })]
  return defineAgent({ name: 'helper', description: 'Helps.', model, tools })
}

const plain: readonly Scenario[] = [
  { name: 'text', agents: world => [worker(world, [])] },
  { name: 'a read tool', agents: world => [worker(world, [['look']])] },
  { name: 'an idempotent tool', agents: world => [worker(world, [['put']])] },
  { name: 'a once tool', agents: world => [worker(world, [['pay']])] },
  {
    name: 'a once tool with reconcile',
    agents: world => {
      const pay = effectTool(world, 'pay')
      const reconcile = ({ idempotencyKey }: ToolContext): Reconciliation =>
        world.happened(idempotencyKey) ? { type: 'done', output: 'pay is done' } : { type: 'not-done' }
      return [worker(world, [['pay']], { tools: [{ ...pay, reconcile: (_: unknown, context: ToolContext) => reconcile(context) }] })]
    },
  },
  { name: 'three parallel tools', agents: world => [worker(world, [THREE])] },
  { name: 'three sequential tools', agents: world => [worker(world, [THREE], { toolExecution: 'sequential' })] },
  { name: 'three turns', agents: world => [worker(world, [['look'], ['pay'], ['put']])] },
  {
    name: 'a failing tool',
    agents: world => {
      const fail = (): never => {
        throw new Error('no')
      }
      return [worker(world, [['fail'], ['look']], { tools: [...three(world), effectTool(world, 'fail', { after: fail })] })]
    },
  },
  { name: 'an unknown tool', agents: world => [worker(world, [['nobody'], ['look']])] },
  { name: 'a limit', agents: world => [worker(world, [['look'], ['put'], ['look']], { limits: { maxTurns: 2 } })] },
  {
    name: 'a truncated answer',
    agents: () => {
      const model = modelOf(turn => (turn === 0 ? { text: 'One, ', finish: 'length' } : 'two.'))
      return [defineAgent({ name: 'worker', model, onTruncated: 'continue' })]
    },
  },
  {
    name: 'structured output, after a repair',
    agents: () => {
      const model = modelOf(turn => (turn === 0 ? '{"name":1}' : '{"name":"Ada"}'))
      const output = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const
      return [defineAgent({ name: 'worker', model, output, outputOptions: { strategy: 'prompt' } })]
    },
  },
  { name: 'two runs of a session', inputs: ['go', 'again'], agents: () => [defineAgent({ name: 'worker', model: modelOf(turn => `Answer ${turn}.`) })] },
  { name: 'a fork', inputs: ['go', 'another way'], forkAt: 2, agents: world => [worker(world, [['look']])] },
  {
    name: 'compaction',
    agents: world => [worker(world, [['look'], ['look'], ['put'], ['look']], { context: truncateOldest({ maxMessages: 4 }) })],
  },
  {
    name: 'context removed by a tool',
    agents: world => [worker(world, [['look'], ['put'], ['forget'], ['look']], { tools: [...three(world), forget(world)] })],
  },
]

const spoken: readonly Scenario[] = [
  {
    name: 'steering',
    agents: world => {
      const after = async (): Promise<void> => {
        if (!(await world.has('input.queued'))) await world.run().steer('faster')
      }
      return [worker(world, [['hear'], ['look']], { tools: [...three(world), effectTool(world, 'hear', { effect: 'read', after })] })]
    },
  },
  {
    name: 'a follow-up',
    agents: world => {
      const after = async (): Promise<void> => {
        if (!(await world.has('input.queued'))) await world.run().followUp('and then?')
      }
      return [worker(world, [['hear']], { tools: [effectTool(world, 'hear', { effect: 'read', after })] })]
    },
  },
  {
    name: 'a steering message from another process',
    agents: world => {
      const after = async (): Promise<void> => {
        if (!(await world.has('input.queued'))) await world.elsewhere().steer(world.run().runId, 'faster')
        while (!(await world.has('input.queued'))) await new Promise(resolve => setTimeout(resolve, 5))
      }
      return [worker(world, [['hear'], ['look']], { tools: [...three(world), effectTool(world, 'hear', { effect: 'read', after })] })]
    },
  },
  {
    name: 'a cancel from another process',
    agents: world => {
      const after = async (): Promise<void> => {
        if (!(await world.has('cancel.requested'))) await world.elsewhere().cancel(world.run().runId)
        while (!(await world.has('cancel.requested'))) await new Promise(resolve => setTimeout(resolve, 5))
      }
      return [worker(world, [['look'], ['stop', 'put']], { tools: [...three(world), effectTool(world, 'stop', { effect: 'read', after })], toolExecution: 'sequential' })]
    },
  },
  {
    name: 'cancelling',
    agents: world => {
      const after = async (): Promise<void> => {
        void world.run().cancel({ kind: 'user' })
        await new Promise(resolve => setImmediate(resolve))
      }
      return [worker(world, [['look'], ['stop', 'put']], { tools: [...three(world), effectTool(world, 'stop', { effect: 'read', after })], toolExecution: 'sequential' })]
    },
  },
]

const teams: readonly Scenario[] = [
  {
    name: 'a handoff',
    agents: world => {
      const target = defineAgent({ name: 'target', model: modelOf(turn => (turn === 1 ? calling(1, 'put') : 'Taken over.')), tools: three(world) })
      return [worker(world, [['transfer_to_target']], { handoffs: [target] }), target]
    },
  },
  {
    name: 'a sub-agent',
    agents: world => {
      const model = modelOf(turn => (turn === 0 ? { toolCalls: [{ name: 'helper', callId: 'c0', input: { task: 'help' } }] } : 'All done.'))
      const help = helper(world)
      return [defineAgent({ name: 'lead', model, tools: [{ ...agentTool(help), effect: 'idempotent' }] }), help]
    },
  },
  {
    name: 'a fan-out',
    agents: world => {
      const help = helper(world)
      const spread = defineTool({
        name: 'spread',
        description: 'Lets two helpers work.',
        input: { type: 'object' },
        effect: 'idempotent',
        execute: async (_, context) => {
          const { results } = await fanOut(context, [
            { agent: help, input: 'left' },
            { agent: help, input: 'right' },
          ])
          return results.map(result => (result.status === 'completed' ? result.text : result.status)).join(' ')
        },
      })
      return [worker(world, [['spread']], { tools: [spread] }), help]
    },
  },
]

export const scenarios: readonly Scenario[] = [
  ...plain,
  ...askingScenarios,
  ...clientScenarios,
  ...spoken,
  ...teams,
  ...workflowScenarios,
  ...memoryScenarios,
]
