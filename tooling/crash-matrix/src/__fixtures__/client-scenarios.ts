import { defineTool, toolPending, type ClientTool, type Tool } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { calling, effectTool, modelOf } from './parts.ts'
import type { Scenario, World } from './scenario.ts'

/** Creates a tool whose calls wait for the client. It records its start, which must not repeat once the call waits. */
export function clientTool(world: World, fields: Partial<Tool>): Tool {
  return defineTool({
    name: 'ask_client',
    description: 'Asks the client.',
    input: { type: 'object' },
    effect: 'idempotent',
    execute: (_, { idempotencyKey }) => {
      world.effect(idempotencyKey)
      return toolPending()
    },
    ...fields,
  })
}

export interface Asker {
  readonly turns: readonly (readonly string[])[]
  /** Fields of the agent. */
  readonly agent?: Partial<Agent>
  /** Fields of the tool that the client executes. */
  readonly tool?: Partial<Tool>
}

export function asker(world: World, { turns, agent, tool = {} }: Asker): Agent {
  const model = modelOf(turn => {
    const names = turns[turn]
    return names === undefined ? 'All done.' : calling(turn, ...names)
  })
  const tools = [
    clientTool(world, tool),
    effectTool(world, 'pay'),
    effectTool(world, 'look', { effect: 'read' }),
    effectTool(world, 'ok', { permission: { effect: 'ask', prompt: 'May I?' } }),
  ]
  return defineAgent({ name: 'worker', description: 'Asks.', model, tools, ...agent })
}

const submit = (): string => 'from the client'
const camera: ClientTool = { name: 'camera', description: 'Takes a picture.', inputSchema: { type: 'object' } }

export function asking(name: string, one: Asker, rest: Partial<Scenario> = {}): Scenario {
  return { name, submit, agents: world => [asker(world, one)], ...rest }
}

/** An agent that asks all sub-agents in its first turn, and then answers. */
export function leadOf(subs: readonly Agent[], fields: Partial<Agent> = {}, ...beside: readonly string[]): Agent {
  const model = modelOf(turn => {
    if (turn > 0) return 'All done.'
    const asked = subs.map(({ name }, index) => ({ name, callId: `s${index}`, input: { task: 'ask' } }))
    return { text: 'Turn 0.', toolCalls: [...asked, ...beside.map((name, index) => ({ name, callId: `c0-${index}` }))] }
  })
  const { tools = [] } = fields
  const asking = subs.map(sub => ({ ...agentTool(sub), effect: 'idempotent' as const }))
  return defineAgent({ name: 'lead', description: 'Leads.', model, ...fields, tools: [...asking, ...tools] })
}

/** Runs whose calls the client executes. Another process receives the results. */
export const clientScenarios: readonly Scenario[] = [
  asking('the client executes the only call of an answer', { turns: [['ask_client']] }),
  asking('the client executes a call beside two calls of the process', { turns: [['pay', 'ask_client', 'look']] }),
  asking('the client executes two calls of one answer', { turns: [['ask_client', 'ask_client']] }),
  asking('the client executes calls in two of three turns', { turns: [['ask_client'], ['pay'], ['ask_client']] }),
  asking('a call of the client and a call that needs approval are in one answer', { turns: [['ask_client', 'ok']] }, { decide: () => ({ type: 'approved' }) }),
  asking(
    'a call of the client needs approval first',
    { turns: [['ask_client']], tool: { permission: 'ask' } },
    { decide: () => ({ type: 'approved' }) },
  ),
  asking('the deadline of a call passes without a result', { turns: [['ask_client']], tool: { timeoutMs: 1 } }, { submit: undefined }),
  asking('the result of a call does not match its output schema', {
    turns: [['ask_client'], ['look']],
    tool: { output: { type: 'object' } },
  }),
  asking('a run forks at the entry of a pending call', { turns: [['ask_client']] }, { inputs: ['one', 'two'], forkAt: 6 }),
  asking(
    'the request brings the tool',
    { turns: [['camera', 'pay']], agent: { clientTools: 'accept' } },
    { clientTools: [camera] },
  ),
  {
    name: 'a child run makes the call',
    submit,
    agents: world => {
      const sub = asker(world, { turns: [['ask_client', 'pay']], agent: { name: 'sub' } })
      return [leadOf([sub]), sub]
    },
  },
  {
    name: 'the run is cancelled while a call waits',
    agents: world => [asker(world, { turns: [['ask_client', 'look']] })],
    whenWaiting: ({ runtime, runId }) => runtime.cancel(runId),
  },
  {
    name: 'the agent makes the call after a handoff',
    submit,
    agents: world => {
      const other = asker(world, { turns: [[], ['ask_client']], agent: { name: 'other' } })
      const model = modelOf(() => ({ toolCalls: [{ name: 'transfer_to_other', callId: 'h0', input: {} }] }))
      return [defineAgent({ name: 'lead', model, handoffs: [other] }), other]
    },
  },
]
