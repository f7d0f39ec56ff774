import { defineTool, type RunEvent, type ModelEvent } from '@parley/core'
import { createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'

const anything = { type: 'object' as const }
const tools = [
  defineTool({ name: 'weather', description: 'Tells.', input: anything, execute: () => 'sunny' }),
  defineTool({ name: 'pay', description: 'Pays.', input: anything, permission: 'ask', execute: () => 'paid' }),
  defineTool({
    name: 'slow',
    description: 'Says how far it is.',
    input: anything,
    execute: (_, { progress }) => {
      progress({ percent: 50 })
      throw new Error('no power')
    },
  }),
]
const raw = (...events: ModelEvent[]) => ({ events })
const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const
const file = { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } as const

interface Given {
  readonly script: Script
  readonly agent?: Partial<Agent>
  /** Whether the runtime closes once the model has begun to write. */
  readonly isReleased?: boolean
}

/** Agents and model scripts for runs of all kinds. */
export const RUNS: Readonly<Record<string, Given>> = {
  text: { script: ['The quick brown fox jumps.'] },
  'empty answer': { script: [''] },
  'reasoning and parallel calls': {
    script: [{ reasoning: 'Hm.', text: 'Look. ', toolCalls: [{ name: 'weather' }, { name: 'slow' }] }, 'Done.'],
  },
  'arguments that are not JSON': { script: [{ toolCalls: [{ name: 'weather', arguments: '{"a":' }] }, 'Sorry.'] },
  'a call that is never finished': {
    script: [raw({ type: 'tool-call.start', callId: 'c', name: 'weather' }, { type: 'finish', reason: 'stop' })],
  },
  'suspended for approval': { script: [{ text: 'Paying. ', toolCalls: [{ name: 'pay' }] }, 'Done.'] },
  'failure during output': { script: [{ reasoning: 'hm', text: 'Well', error: overloaded }] },
  'failure during a call': {
    script: [{ events: [{ type: 'tool-call.start', callId: 'c', name: 'weather' }], error: overloaded }],
  },
  'file as output': {
    script: [raw({ type: 'text.delta', text: 'Here:' }, { type: 'file', part: file }, { type: 'finish', reason: 'stop' })],
  },
  limit: { script: [{ toolCalls: [{ name: 'weather' }] }, 'No.'], agent: { limits: { maxTurns: 1 } } },
  'truncated by length': { script: [{ text: 'Half an', finish: 'length' }] },
  'truncated answer retried': {
    script: [{ text: 'Half an', finish: 'length' }, 'A whole answer.'],
    agent: { onTruncated: 'retry' },
  },
  'structured output by a tool': {
    script: [{ toolCalls: [{ name: 'final_answer', input: { ok: 1 } }] }],
    agent: { output: { type: 'object', required: ['ok'] }, outputOptions: { strategy: 'tool' } },
  },
  'released by a process that closes': { script: [{ reasoning: 'Hm.', text: 'Half an', hang: true }], isReleased: true },
  'rejected by a filter': {
    script: ['Hi.'],
    agent: { inputFilters: [{ name: 'guard', check: () => ({ type: 'reject', reason: 'not here' }) }] },
  },
}

/** Runs one of `RUNS` and returns its events. */
export async function eventsOf(name: string): Promise<readonly RunEvent[]> {
  const { script, agent, isReleased = false } = RUNS[name] ?? { script: [] }
  const store = createMemoryStore()
  const agents = [defineAgent({ name: 'guide', model: scriptedModel(script), tools, ...agent })]
  const events: RunEvent[] = []
  const runtime = createRuntime({ agents, store })
  for await (const event of runtime.run('guide', 'go')) {
    events.push(event)
    if (isReleased && event.type === 'text.delta') void runtime.close({ drainMs: 0, onClose: 'suspend' })
  }
  return events
}
