import fc from 'fast-check'
import {
  defineMiddleware,
  defineTool,
  messageText,
  type ApprovalDecision,
  type Entry,
  type ErrorInfo,
  type InputFilter,
  type RunEvent,
} from '@parley/core'
import { entrySchema } from '@parley/core/schema'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type Agent, type RequestCapture, type Run, type RunResult } from '../index.ts'
import { decide, evolve, initialState, isValidTranscript, restoreRequest } from '../journal.ts'
import { createMemoryStore } from '@parley/memory-store'

/** A run in any form: its model answers, its tools, and when users interfere. */
interface Scenario {
  readonly answers: readonly ScriptedAnswer[]
  readonly execution: NonNullable<Agent['toolExecution']>
  readonly limit: number
  readonly onLimit: 'stop' | 'fail' | 'answer'
  /** Decisions about its approval requests, in order. The last one repeats. */
  readonly decisions: readonly ApprovalDecision[]
  /** What happens after the run has shown this many events. */
  readonly fields: Partial<Agent>
  readonly captures?: RequestCapture
  readonly interference: readonly {
    readonly after: number
    readonly act: 'steer' | 'follow-up' | 'cancel'
    readonly text: string
  }[]
}

const error: ErrorInfo = { code: 'model-server', provider: 'p', detail: 'down' }
const call = fc.record({
  name: fc.constantFrom(
    'ok',
    'slow',
    'throws',
    'hangs-until-stopped',
    'asks',
    'final_answer',
    'unknown',
    '',
    'trims',
    'reverts',
  ),
  arguments: fc.constantFrom('{"n":1}', '{"n":"x"}', '{"n":', "{'n': 1}", '', 'null', '[]'),
  callId: fc.constantFrom('', '0', 'a', 'b'),
})
const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: fc.constantFrom('', 'Hello.'), reasoning: fc.constantFrom('', 'Hm.') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      text: fc.constantFrom('', 'On it.'),
      toolCalls: fc.array(call, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('ok', 'trims', 'reverts').map(name => ({ toolCalls: [{ name, input: { n: 1 } }] })),
  },
  { weight: 2, arbitrary: fc.constant({ text: 'cut', finish: 'length' as const }) },
  { weight: 1, arbitrary: fc.constant({ text: '{"n": 1}' }) },
  { weight: 1, arbitrary: fc.constant({ text: 'no', finish: 'refusal' as const }) },
  { weight: 1, arbitrary: fc.constant({ text: 'part', finish: 'none' as const }) },
  { weight: 1, arbitrary: fc.constant({ text: 'part', error }) },
  { weight: 1, arbitrary: fc.constant({ text: 'more', finish: 'pause' as const }) },
)
const decision: fc.Arbitrary<ApprovalDecision> = fc.constantFrom<ApprovalDecision>(
  { type: 'approved' },
  { type: 'rejected', reason: 'no.' },
  { type: 'modified', input: { n: 2 } },
  { type: 'modified', input: { n: 'x' } },
  { type: 'timed-out' },
)
const nToInteger = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
/** Warns, replaces or rejects depending on the message only. */
const filter: InputFilter = {
  name: 'f',
  check(message) {
    const text = messageText(message)
    if (text.includes('bad')) return { type: 'reject', reason: 'bad' }
    if (text.includes('odd')) return Promise.resolve({ type: 'warn', warning: 'odd' })
    return text.includes('long') ? { type: 'replace', message: 'short' } : 'pass'
  },
}
const fields: fc.Arbitrary<Partial<Agent>> = fc.record(
  {
    onTruncated: fc.constantFrom('continue' as const, 'retry' as const, { policy: 'continue' as const, attempts: 1 }),
    queue: fc.constantFrom(
      { steering: 'one' as const },
      { followUps: 'all' as const },
      { capacity: 1, onFull: 'drop-oldest' as const },
    ),
    output: fc.constant(nToInteger),
    inputFilters: fc.constant([filter]),
    middleware: fc.constant([defineMiddleware('turns', () => ({ beforeTurn: () => true, afterTurn: () => {} }))]),
    repairArguments: fc.constant(false),
  },
  { requiredKeys: [] },
)
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  fields,
  answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
  execution: fc.constantFrom('parallel' as const, 'sequential' as const, { batch: 2 }),
  limit: fc.integer({ min: 1, max: 6 }),
  onLimit: fc.constantFrom('stop' as const, 'fail' as const, 'answer' as const),
  decisions: fc.array(decision, { minLength: 1, maxLength: 3 }),
  interference: fc.array(
    fc.record({
      after: fc.nat(30),
      act: fc.constantFrom('steer' as const, 'follow-up' as const, 'cancel' as const),
      text: fc.constantFrom('wait', 'bad', 'odd', 'long'),
    }),
    { maxLength: 3 },
  ),
})

const input = { type: 'object', properties: { n: { type: 'integer' } } }
const tools = [
  defineTool({ name: 'asks', description: 'd', input, permission: 'ask', execute: () => 'asked' }),
  defineTool({ name: 'ok', description: 'd', input, effect: 'read', execute: () => 'fine' }),
  defineTool({
    name: 'slow',
    description: 'd',
    input,
    execute: () => new Promise<string>(resolve => setImmediate(() => resolve('late'))),
  }),
  defineTool({
    name: 'trims',
    description: 'd',
    input,
    effect: 'idempotent',
    execute: async (_, { contextEditor }) => {
      const { steps } = (await contextEditor?.edit({ type: 'trim', tokens: 30, memo: 'Memo.' })) ?? { steps: 0 }
      return `${steps}`
    },
  }),
  defineTool({
    name: 'reverts',
    description: 'd',
    input,
    effect: 'idempotent',
    execute: async (_, { contextEditor }) => {
      const step = contextEditor?.steps()[0]?.step ?? 0
      await contextEditor?.edit({ type: 'revert', step, category: 'failure', summary: 'No.' })
      return 'back'
    },
  }),
  defineTool({ name: 'throws', description: 'd', input, execute: () => Promise.reject(new Error('broken')) }),
  defineTool({
    name: 'hangs-until-stopped',
    description: 'd',
    input,
    timeoutMs: 5,
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  }),
]

async function play({ answers, execution, limit, onLimit, decisions, interference, fields, captures }: Scenario) {
  const store = createMemoryStore()
  const model = scriptedModel((_request, index) => answers[index] ?? 'The end.')
  const agent = defineAgent({
    ...fields,
    name: 'a',
    model,
    tools,
    toolExecution: execution,
    limits: { maxTurns: limit },
    onLimit,
  })
  const runtime = createRuntime({ agents: [agent], store, captureRequests: captures })
  const events: RunEvent[] = []

  async function watch(run: Run): Promise<RunResult> {
    for await (const event of run) {
      events.push(event)
      for (const { after, act, text } of interference) {
        if (after !== events.length) continue
        // A run that has just ended rejects, and so may a filter.
        if (act === 'steer') await run.steer(text).catch(() => {})
        else if (act === 'follow-up') await run.followUp(text).catch(() => {})
        else void run.cancel()
      }
    }
    return run.result
  }
  let result = await watch(runtime.run('a', 'go'))
  for (let asked = 0; result.status === 'suspended'; asked++) {
    const approvalId = result.approvals[0]?.approvalId ?? ''
    const decision = decisions[Math.min(asked, decisions.length - 1)] ?? { type: 'approved' }
    result = await watch(await runtime.decide(result.runId, approvalId, { decision }))
  }
  return { model, events, result, entries: await store.read(result.runId) }
}

function fold(entries: readonly Entry[]) {
  return entries.reduce(evolve, initialState())
}

describe('every run', () => {
  it('every run sends and returns only valid transcripts', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { model, result } = await play(scenario)
        for (const { messages } of model.requests) expect(isValidTranscript(messages)).toBe(true)
        expect(isValidTranscript(result.messages)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it('every run equals the fold of its journal, and every prefix folds and decides', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { entries, result } = await play(scenario)
        for (let length = 0; length <= entries.length; length++) {
          const state = fold(entries.slice(0, length))
          expect(() => decide(state, { limits: {}, onLimit: 'stop' })).not.toThrow()
        }
        const state = fold(entries)
        expect(state.transcript.toArray()).toEqual(result.messages)
        expect(state.outcome?.status).toBe(result.status)
      }),
      { numRuns: 200 },
    )
  })

  it('every run shows exactly the entries of its journal in order, and run.ended last', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { entries, events } = await play(scenario)
        const shown = events.filter(event => 'v' in event)
        expect(shown.map(event => [event.seq, event.type])).toEqual(entries.map(entry => [entry.seq, entry.type]))
        expect(events.at(-1)?.type).toBe('run.ended')
      }),
      { numRuns: 200 },
    )
  })

  it('every run writes valid entries that survive JSON', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        for (const entry of (await play(scenario)).entries) {
          expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('with captureRequests keep every request of a run can be restored', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { model, entries, result } = await play({ ...scenario, captures: 'keep' })
        const transcript = fold(entries).transcript.toArray()
        expect(transcript).toEqual(result.messages)
        const kept = entries.filter(entry => entry.type === 'request.kept')
        const restored = kept.map(entry => restoreRequest(entry, transcript))
        // A stop may come between journaling the last request and sending it.
        if (result.status === 'cancelled') restored.splice(model.requests.length, 1)
        expect(restored).toEqual(model.requests)
        for (const entry of kept) expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
      }),
      { numRuns: 100 },
    )
  })

  it('every run sends all user messages, whatever its tools remove from the context', async () => {
    let edits = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { events, entries } = await play({ ...scenario, captures: 'keep' })
        let state = initialState()
        for (const entry of entries) {
          if (entry.type === 'context.compacted') edits += 1
          if (entry.type === 'request.kept') {
            const log = state.transcript.toArray()
            const { messages } = restoreRequest(entry, log)
            const said = log.filter(({ role }) => role === 'user')
            expect(messages.filter(message => said.includes(message as (typeof said)[number]))).toEqual(said)
            // Unread messages are included.
            expect(messages.at(-1)).toBe(log.at(-1))
          }
          state = evolve(state, entry)
        }
        expect(events.at(-1)?.type).toBe('run.ended')
      }),
      { numRuns: 300 },
    )
    expect(edits).toBeGreaterThan(10)
  })

  it('no run exceeds its turn limit', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { result } = await play(scenario)
        expect(result.turns).toBeLessThanOrEqual(scenario.limit + (scenario.onLimit === 'answer' ? 1 : 0))
      }),
      { numRuns: 100 },
    )
  })

  it('every run can be resumed from any entry and never starts a once tool twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(), async (scenario, at) => {
        const first = await play({ ...scenario, interference: [] })
        const length = 1 + (at % first.entries.length)
        const starts = first.entries.slice(0, length).filter(entry => entry.type === 'tool.started')
        const resumed = await resumeFrom(first.entries.slice(0, length), scenario)
        expect(isValidTranscript(resumed.result.messages)).toBe(true)
        for (const { callId, effect } of starts) {
          if (effect === 'once') expect(resumed.started).not.toContain(callId)
        }
        for (const { messages } of resumed.requests) expect(isValidTranscript(messages)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

/** Puts a cut journal into a new store and resumes it in a new runtime. */
async function resumeFrom(entries: readonly Entry[], { execution, limit, onLimit, fields }: Scenario) {
  const store = createMemoryStore()
  const runId = 'r'
  await store.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries })
  const model = scriptedModel(() => 'Resumed.')
  const agent = defineAgent({
    ...fields,
    name: 'a',
    model,
    tools,
    toolExecution: execution,
    limits: { maxTurns: limit },
    onLimit,
  })
  const runtime = createRuntime({ agents: [agent], store, isWorkerGone: () => true })
  const { status } = (await store.run(runId)) ?? {}
  if (status !== 'running' && status !== 'suspended') {
    await expect(runtime.resume(runId)).rejects.toThrow('has already ended')
    return { result: { messages: [] } as unknown as RunResult, started: [], requests: [] }
  }
  const run = await runtime.resume(runId)
  const started: string[] = []
  for await (const event of run) if (event.type === 'tool.started') started.push(event.callId)
  return { result: await run.result, started, requests: model.requests }
}
