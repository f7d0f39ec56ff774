import { defineTool, type Entry, type RunEvent, type ToolEffect } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { entrySchema } from '@parley/core/schema'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent, type Runtime } from '../index.ts'
import { isValidTranscript } from '../journal.ts'

/** A run that several runtimes release one after another, at any point. */
interface Scenario {
  readonly answers: readonly ScriptedAnswer[]
  readonly execution: NonNullable<Agent['toolExecution']>
  /** Number of events after which each runtime closes. */
  readonly closings: readonly number[]
  readonly maxToolCalls: number | undefined
}

const EFFECTS: readonly ToolEffect[] = ['read', 'idempotent', 'once']
const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  fc.constant({ text: 'Hello.' }),
  fc.record({
    toolCalls: fc.array(fc.record({ name: fc.constantFrom(...EFFECTS) }), { minLength: 1, maxLength: 4 }),
  }),
)
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  execution: fc.constantFrom('parallel' as const, 'sequential' as const, { batch: 2 }),
  closings: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
  maxToolCalls: fc.constantFrom(undefined, 1, 2),
})

function setup({ answers, execution, maxToolCalls }: Scenario) {
  const store = createMemoryStore()
  const sent: (readonly unknown[])[] = []
  const finished: string[] = []
  const starts: string[] = []
  const tools = EFFECTS.map(effect =>
    defineTool({
      name: effect,
      description: 'd',
      input: { type: 'object' },
      effect,
      async execute(_, { callId, signal }) {
        starts.push(`${effect} ${callId}`)
        await new Promise(resolve => setImmediate(resolve))
        signal.throwIfAborted()
        finished.push(`${effect} ${callId}`)
        return 'ok'
      },
    }),
  )
  // The next answer depends only on the messages, so every runtime continues alike.
  const model = scriptedModel(({ messages }) => {
    sent.push(messages)
    expect(isValidTranscript(messages)).toBe(true)
    const turn = messages.filter(({ role }) => role === 'assistant').length
    const step = answers[turn] ?? { text: 'The end.' }
    return { ...step, toolCalls: step.toolCalls?.map((call, index) => ({ ...call, callId: `${turn}-${index}` })) }
  })
  const agent = defineAgent({ name: 'a', model, tools, toolExecution: execution })
  const bus = createEventBus()
  const seen: RunEvent[] = []
  bus.subscribe(event => void ('runId' in event && seen.push(event)), { name: 'x' })
  const open = (): Runtime =>
    createRuntime({ store, bus, agents: [agent], onClose: 'suspend', quota: { maxConcurrentToolCalls: maxToolCalls } })
  return { store, open, starts, finished, bus, seen }
}

async function play(scenario: Scenario) {
  const given = setup(scenario)
  let runtime = given.open()
  let run = runtime.run('a', 'go')
  for (const after of scenario.closings) {
    let count = 0
    for await (const _ of run) if (++count === after) break
    await runtime.close({ drainMs: 0 })
    const result = await run.result
    if (result.status !== 'suspended') break
    runtime = given.open()
    run = await runtime.resume(run.runId)
  }
  const result = await run.orThrow()
  await given.bus.flush()
  return { ...given, result, entries: await given.store.read(run.runId) }
}

describe('a run that is released repeatedly', () => {
  it('a run that is released repeatedly has the same result, valid transcripts and no once tool started twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { result, starts } = await play(scenario)
        expect(result.status).toBe('completed')
        expect(isValidTranscript(result.messages)).toBe(true)
        const once = starts.filter(start => start.startsWith('once'))
        expect(new Set(once).size).toBe(once.length)
        const undisturbed = await play({ ...scenario, closings: [] })
        const shape = ({ messages }: typeof result) => messages.map(({ role }) => role)
        expect(shape(result)).toEqual(shape(undisturbed.result))
        expect(result.text).toBe(undisturbed.result.text)
      }),
      { numRuns: 150 },
    )
  })

  it('every repeatable call of a released run gets its real result', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { entries } = await play(scenario)
        for (const entry of entries) {
          if (entry.type !== 'tool.ended' || entry.name === 'once') continue
          expect(entry.error).toBeUndefined()
        }
      }),
      { numRuns: 100 },
    )
  })

  it('a released run writes valid entries, and a subscriber of the bus receives each of them in order', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { entries, seen } = await play(scenario)
        for (const entry of entries) expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
        const numbered = (list: readonly (Entry | RunEvent)[]) => list.map(({ seq, type }) => `${seq} ${type}`)
        expect(numbered(seen.filter(event => 'v' in event))).toEqual(numbered(entries))
      }),
      { numRuns: 60 },
    )
  })
})
