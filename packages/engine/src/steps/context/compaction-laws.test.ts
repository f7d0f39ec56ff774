import { phiCompaction, slidingWindow, summarize, truncateOldest } from '@parley/context-policies'
import {
  defineTool,
  type ContextPolicy,
  type Entry,
  type ErrorInfo,
  type Message,
  type ModelRequest,
} from '@parley/core'
import { entrySchema } from '@parley/core/schema'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent } from '../../index.ts'
import { evolve, initialState, isValidTranscript } from '../../journal.ts'
import { charCounter, exchange } from './__fixtures__/scope-over.ts'
import { viewOf } from '../../journal/overlay.ts'

/** A run whose conversation grows beyond its model’s window in any way. */
interface Scenario {
  readonly policy: number
  readonly answers: readonly ScriptedAnswer[]
  /** Answers of the summarizing model, in order. The last one repeats. */
  readonly summaries: readonly ScriptedAnswer[]
  readonly history: readonly Message[]
  readonly cancelAfter: number | undefined
  readonly steerAfter: number | undefined
}

const tooLong: ErrorInfo = { code: 'model-context-length', provider: 'p', detail: 'Too long.' }
const down: ErrorInfo = { code: 'model-server', provider: 'p', detail: 'Down.' }
const tool = defineTool({
  name: 'look',
  description: 'd',
  input: { type: 'object' },
  effect: 'read',
  execute: () => 'line\n'.repeat(30),
})

function policyOf({ policy, summaries }: Scenario): ContextPolicy {
  const model = scriptedModel((_request, index) => summaries[Math.min(index, summaries.length - 1)] ?? 'A summary.')
  const policies = [
    slidingWindow({ maxMessages: 5 }),
    truncateOldest({ maxTokens: 500 }),
    summarize({ maxTokens: 500, model, keepRecentTurns: 2 }),
    summarize({ model }),
    phiCompaction({ maxContextTokens: 900, systemPromptTokens: 0, keepFirstTurns: 1, keepRecentTurns: 2 }),
  ]
  return policies[policy] as ContextPolicy
}

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ text: 'On it.', toolCalls: [{ name: 'look' }, { name: 'look' }] }) },
  { weight: 2, arbitrary: fc.constant({ text: 'x'.repeat(150), finish: 'pause' as const }) },
  { weight: 2, arbitrary: fc.constant({ error: tooLong, usage: { input: 0, output: 0 } }) },
  { weight: 1, arbitrary: fc.constant({ error: down }) },
  { weight: 1, arbitrary: fc.constant({ text: 'Done.', usage: { input: 450 } }) },
)
const summary: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  fc.constant({ text: 'What was said before.' }),
  fc.constant({ text: 'long '.repeat(200) }),
  fc.constant({ error: down }),
)
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  policy: fc.nat(4),
  answers: fc.array(answer, { maxLength: 8 }),
  summaries: fc.array(summary, { maxLength: 3 }),
  history: fc
    .array(fc.nat(200), { maxLength: 5 })
    .map(lengths => lengths.flatMap(length => exchange('x'.repeat(length), 'y'.repeat(length)))),
  cancelAfter: fc.option(fc.nat(20), { nil: undefined, freq: 6 }),
  steerAfter: fc.option(fc.nat(20), { nil: undefined }),
})

async function play(scenario: Scenario, before: readonly Entry[] = []) {
  const { answers, history, cancelAfter, steerAfter } = scenario
  const store = createMemoryStore()
  const model = scriptedModel((_request, index) => answers[index] ?? 'The end.')
  const context = policyOf(scenario)
  const agent = defineAgent({ name: 'a', model, tools: [tool], context, tokenCounter: charCounter })
  const runtime = createRuntime({ agents: [agent], store, isWorkerGone: () => true })
  if (before.length > 0) await store.append({ runId: 'r', expectedSeq: 0, worker: 'gone', fence: 1, entries: before })
  const run = before.length > 0 ? await runtime.resume('r') : runtime.run('a', 'go', { history })
  let shown = 0
  for await (const _ of run) {
    shown += 1
    // A run that has just ended rejects.
    if (shown === steerAfter) await run.steer('wait').catch(() => {})
    if (shown === cancelAfter) void run.cancel()
  }
  const result = await run.result
  return { model, result, entries: await store.read(result.runId) }
}

/** The messages of each model call, as the journal records them. */
function viewsOf(entries: readonly Entry[]): readonly (readonly Message[])[] {
  let state = initialState()
  return entries.flatMap(entry => {
    const view = entry.type === 'model.called' || entry.type === 'model.failed' ? [viewOf(state)] : []
    state = evolve(state, entry)
    return view
  })
}

describe('every run that is compacted', () => {
  it('a compacted run sends only valid transcripts, exactly those that its journal describes', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { model, entries } = await play({ ...scenario, steerAfter: undefined })
        for (const { messages } of model.requests) expect(isValidTranscript(messages)).toBe(true)
        expect(model.requests.map(({ messages }: ModelRequest) => messages)).toEqual(
          viewsOf(entries).slice(0, model.requests.length),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('a compacted run keeps the whole conversation in its result, which equals the fold of its journal', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { result, entries } = await play(scenario)
        const state = entries.reduce(evolve, initialState())
        expect(isValidTranscript(result.messages)).toBe(true)
        expect(state.transcript.toArray()).toEqual(result.messages)
        const said = entries.filter(entry => entry.type === 'message.appended' || entry.type === 'tool.ended').length
        expect(result.messages).toHaveLength(scenario.history.length + said)
        expect(['completed', 'failed', 'cancelled']).toContain(result.status)
      }),
      { numRuns: 200 },
    )
  })

  it('a run compacts at most once for a call that was refused as too long', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { entries } = await play(scenario)
        const refused = entries.flatMap(entry =>
          entry.type === 'context.compacted' && entry.trigger === 'overflow' ? [entry.turn] : [],
        )
        expect(new Set(refused).size).toBe(refused.length)
      }),
      { numRuns: 100 },
    )
  })

  it('a compacted run writes entries that survive JSON, and resumes from any entry', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(), async (scenario, at) => {
        const { entries } = await play({ ...scenario, cancelAfter: undefined })
        for (const entry of entries) expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
        const prefix = entries.slice(0, 1 + (at % Math.max(entries.length - 1, 1)))
        const resumed = await play({ ...scenario, cancelAfter: undefined, steerAfter: undefined }, prefix)
        for (const { messages } of resumed.model.requests) expect(isValidTranscript(messages)).toBe(true)
        expect(isValidTranscript(resumed.result.messages)).toBe(true)
        const kept = prefix.reduce(evolve, initialState()).transcript.toArray()
        expect(resumed.result.messages.slice(0, kept.length)).toEqual(kept)
      }),
      { numRuns: 200 },
    )
  })
})
