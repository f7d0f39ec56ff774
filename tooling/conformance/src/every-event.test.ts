import {
  BUS_EVENT_TYPES,
  defineMiddleware,
  defineTool,
  ParleyError,
  type BusEventType,
  type RunEvent,
  ZERO_USAGE,
} from '@parley/core'
import { entrySchema } from '@parley/core/schema'
import type * as z from 'zod'
import { agentTool, createRuntime, defineAgent, type Agent, type RuntimeOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { slidingWindow } from '@parley/context-policies'
import { createEventBus } from '@parley/event-bus'
import { scriptedModel, type Script } from '@parley/testing'
import { expect, it } from 'vitest'

/** Types of the events of runs and runtimes. MCP servers emit the others. */
const DECLARED = BUS_EVENT_TYPES.filter(type => !type.startsWith('mcp.'))

const seen = new Set<BusEventType>()
async function watch(run: AsyncIterable<RunEvent>): Promise<void> {
  for await (const event of run) seen.add(event.type)
}

function runtimeOf(script: Script, agent: Partial<Agent> = {}, options: RuntimeOptions = {}) {
  const agents = [defineAgent({ name: 'a', model: scriptedModel(script), ...agent })]
  return createRuntime({ agents, store: createMemoryStore(), ...options })
}
const run = (script: Script, agent: Partial<Agent> = {}) => watch(runtimeOf(script, agent).run('a', 'go'))

const input = { type: 'object' } as const
const pay = defineTool({ name: 'pay', description: 'd', input, permission: 'ask', execute: () => 'paid' })
const slow = defineTool({
  name: 'slow',
  description: 'd',
  input,
  execute: (_, { progress }) => (progress('half'), 'ok'),
})
const paying = { toolCalls: [{ name: 'pay' }] }
const overloaded = { code: 'model-overloaded', provider: 'p', detail: '' } as const

/** Runs that together emit every event type. */
const SCENARIOS: readonly (() => Promise<void>)[] = [
  async () => {
    const bus = createEventBus()
    bus.subscribe(({ type }) => void seen.add(type), { name: 'all' })
    await runtimeOf([], {}, { bus, resources: [bus] }).close()
  },
  () => run([{ text: 'On it.', reasoning: 'Hm.', toolCalls: [{ name: 'slow' }] }, 'Done.'], { tools: [slow] }),
  () => run([{ error: overloaded }]),
  () => run(['Done.'], { instructions: ({ agent }) => `You are ${agent}.` }),
  () =>
    run([
      {
        events: [
          { type: 'retry', attempt: 1, delayMs: 1, error: overloaded },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ]),
  () =>
    run([
      {
        events: [
          { type: 'usage', usage: ZERO_USAGE },
          { type: 'text.delta', text: 'Counted early.' },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ]),
  () => run([{ text: 'cut', finish: 'length' }, 'Whole.'], { onTruncated: 'retry' }),
  () =>
    run(['{"a": 1}', '{"n": 1}'], {
      output: { type: 'object', required: ['n'] },
      outputOptions: { strategy: 'prompt' },
    }),
  () => run([], { inputFilters: [{ name: 'f', check: () => ({ type: 'reject', reason: 'no' }) }] }),
  () =>
    run(['x'], {
      middleware: [
        defineMiddleware('m', () => ({
          event: () => {
            throw new Error('m')
          },
        })),
      ],
    }),
  () =>
    run(['x'], {
      tools: [
        {
          name: 's',
          tools: async () => [{ ...slow, input: { type: 'nothing' } }],
          [Symbol.asyncDispose]: async () => {},
        },
      ],
    }),
  () => run([{ toolCalls: [{ name: 'slow' }] }], { tools: [slow], limits: { maxTurns: 1 } }),
  () =>
    run([{ toolCalls: [{ name: 'transfer_to_b' }] }], {
      handoffs: [defineAgent({ name: 'b', model: scriptedModel(['B.']) })],
    }),
  () =>
    run([], {
      tools: [{ name: 's', tools: () => Promise.reject(new Error('down')), [Symbol.asyncDispose]: async () => {} }],
    }),
  async () => {
    const runtime = runtimeOf(({ messages }) => `${messages.length}`, { context: slidingWindow({ maxMessages: 4 }) })
    const { sessionId } = await runtime.run('a', '1').result
    for (const text of ['2', '3']) await watch(runtime.run('a', text, { sessionId }))
  },
  async () => {
    const runtime = runtimeOf([paying, 'Done.'], { tools: [pay] })
    const first = runtime.run('a', 'go')
    await watch(first)
    const result = await first.result
    const approvalId = result.status === 'suspended' ? (result.approvals[0]?.approvalId ?? '') : ''
    await watch(await runtime.decide(first.runId, approvalId, { decision: { type: 'approved' } }))
  },
  async () => {
    const client = defineTool({ name: 'client', description: 'd', input })
    const runtime = runtimeOf([{ toolCalls: [{ name: 'client', input: {} }] }, 'Done.'], { tools: [client] })
    const first = runtime.run('a', 'go')
    await watch(first)
    await watch(await runtime.submitToolResult(first.runId, 'call_1', 'done'))
  },
  () => {
    const child = defineAgent({ name: 'child', model: scriptedModel([paying]), tools: [pay] })
    return run([{ toolCalls: [{ name: 'child', input: { task: 't' } }] }], { tools: [agentTool(child)] })
  },
  () => {
    const child = defineAgent({ name: 'child', model: scriptedModel(['Hi.']) })
    return run([{ toolCalls: [{ name: 'child', input: { task: 't' } }] }, 'Done.'], { tools: [agentTool(child)] })
  },
  async () => {
    const going = runtimeOf([{ hang: true }], { queue: { capacity: 1, onFull: 'drop-oldest' } }).run('a', 'go')
    for await (const event of going) if (event.type === 'model.started') break
    for (const text of ['one', 'two']) await going.followUp(text)
    await going.cancel()
    await watch(going)
  },
  () => watch(runtimeOf(['x'], {}, { captureRequests: 'keep' }).run('a', 'go')),
  async () => {
    const runtime = runtimeOf(() => 'x', {}, { quota: { maxConcurrentRuns: 1 } })
    await Promise.all([watch(runtime.run('a', '1')), watch(runtime.run('a', '2'))])
  },
  () => {
    const store = createMemoryStore()
    const append = () => Promise.reject(new ParleyError({ code: 'store-unavailable', store: 's', detail: 'gone' }))
    return watch(runtimeOf(['x'], {}, { store: { ...store, append } }).run('a', 'go'))
  },
]

it('8: the scenarios emit every declared event type, and every entry type of the journal is declared', async () => {
  for (const scenario of SCENARIOS) await scenario()
  expect(DECLARED.filter(type => !seen.has(type))).toEqual([])
  // Core declares its schemas without zod's types.
  const { options } = entrySchema as unknown as z.ZodDiscriminatedUnion<z.ZodObject<{ type: z.ZodLiteral<string> }>[]>
  for (const { shape } of options) expect(DECLARED).toContain(shape.type.value)
})
