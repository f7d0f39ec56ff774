import { createMemoryStore } from '@parley/memory-store'
import fc from 'fast-check'
import { addUsage, defineTool, toolHandoff, ZERO_USAGE, type Entry, type EntryOf, type Store } from '@parley/core'
import { entrySchema } from '@parley/core/schema'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Run, type RunResult } from '../../index.ts'
import { decide, evolve, initialState, isValidTranscript, loadRun } from '../../journal.ts'

/** Agents that call and hand over to each other in any way, and users who decide and interfere. */
interface Scenario {
  readonly lead: readonly ScriptedAnswer[]
  readonly helper: readonly ScriptedAnswer[]
  readonly other: readonly ScriptedAnswer[]
  readonly execution: 'parallel' | 'sequential'
  readonly maxTokens: number
  readonly approve: boolean
  /** Number of events after which the run is cancelled. */
  readonly cancelAfter: number | undefined
}

const LEAD_CALLS = ['helper', 'two', 'hasty', 'stubborn', 'pay', 'transfer_to_other', 'forget', 'nobody']
const HELPER_CALLS = ['inner', 'pay', 'transfer_to_other', 'ok']
const answers = (names: readonly string[]): fc.Arbitrary<readonly ScriptedAnswer[]> =>
  fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant({ text: 'Hello.' }) },
      {
        weight: 4,
        arbitrary: fc
          .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
          .map(calls => ({ toolCalls: calls.map(name => ({ name, input: { task: 't' }, callId: '' })) })),
      },
      {
        weight: 1,
        arbitrary: fc.constant({ text: 'x', error: { code: 'model-server' as const, provider: 'p', detail: 'd' } }),
      },
    ),
    { maxLength: 4 },
  )
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  lead: answers(LEAD_CALLS).filter(list => list.length > 0),
  helper: answers(HELPER_CALLS),
  other: answers(['helper', 'pay', 'ok']),
  execution: fc.constantFrom('parallel' as const, 'sequential' as const),
  maxTokens: fc.constantFrom(60, 150, 1_000_000),
  approve: fc.boolean(),
  cancelAfter: fc.option(fc.nat(60), { nil: undefined, freq: 3 }),
})

const input = { type: 'object' }
const names = { description: 'd', input }

/** The agents of a scenario, the requests to their models, and the number of payments by run. */
function team({ lead, helper, other, execution, maxTokens }: Scenario) {
  const script = (list: readonly ScriptedAnswer[]) => scriptedModel((_, index) => list[index] ?? 'The end.')
  const models = [lead, helper, other, []].map(script)
  const [leadModel = script([]), helperModel = script([]), otherModel = script([]), innerModel = script([])] = models
  const payments = new Map<string, number>()
  const pay = defineTool({
    ...names,
    name: 'pay',
    permission: 'ask',
    execute: (_, { idempotencyKey }) => payments.set(idempotencyKey, (payments.get(idempotencyKey) ?? 0) + 1).size,
  })
  const ok = defineTool({ ...names, name: 'ok', effect: 'read', execute: () => 'fine' })
  const limits = { maxTurns: 5 }
  const inner = defineAgent({ name: 'inner', model: innerModel, tools: [pay], limits })
  const helperAgent = defineAgent({
    name: 'helper',
    model: helperModel,
    tools: [agentTool(inner), pay, ok],
    handoffs: ['other'],
    toolExecution: execution,
    limits,
  })
  const task = { agent: helperAgent, input: 't' }
  const tools = [
    agentTool(helperAgent),
    pay,
    defineTool({
      ...names,
      name: 'two',
      effect: 'idempotent',
      execute: async (_, { delegate }) => {
        const results = await Promise.all([delegate?.(task), delegate?.({ agent: inner, input: 't', key: 'k' })])
        return results.map(result => result?.status).join()
      },
    }),
    defineTool({ ...names, name: 'hasty', execute: (_, { delegate }) => void delegate?.(task) }),
    // Continues although a child run is suspended for approval.
    defineTool({
      ...names,
      name: 'stubborn',
      execute: async (_, { delegate }) => {
        const result = await delegate?.(task).catch(() => undefined)
        return result?.status === 'completed' ? result.text : 'nothing'
      },
    }),
    defineTool({
      ...names,
      name: 'forget',
      execute: () => toolHandoff('other', { task: 'only this', carryContext: false }),
    }),
  ]
  const leadAgent = defineAgent({
    name: 'lead',
    model: leadModel,
    tools,
    handoffs: ['other'],
    toolExecution: execution,
    limits: { ...limits, maxTokens },
  })
  const otherAgent = defineAgent({ name: 'other', model: otherModel, tools: [ok, pay, agentTool('helper')], limits })
  return { agents: [leadAgent, helperAgent, otherAgent], models, payments }
}

type Team = ReturnType<typeof team>

interface Ending extends Pick<Scenario, 'approve' | 'cancelAfter'> {
  readonly store: Store
}

/** Decides every request until the run ends. */
async function toItsEnd(run: Run, { agents }: Team, { store, approve, cancelAfter }: Ending): Promise<RunResult> {
  let shown = 0
  const watch = async (watched: Run): Promise<RunResult> => {
    for await (const _ of watched) if (++shown === cancelAfter) void watched.cancel()
    return watched.result
  }
  let result = await watch(run)
  for (let asked = 0; result.status === 'suspended'; asked++) {
    expect(asked).toBeLessThan(60)
    const [request] = result.approvals
    // Alternates between the ids of the parent run and the child run, each time in another process.
    const id = asked % 2 === 0 ? result.runId : (request?.runId ?? result.runId)
    const decision = approve ? { type: 'approved' as const } : { type: 'rejected' as const, reason: 'no.' }
    const runtime = createRuntime({ agents, store, isWorkerGone: () => true })
    result = await watch(await runtime.decide(id, request?.approvalId ?? '', { decision }))
  }
  return result
}

/** A store that also records all entries of all runs in the order they became durable. */
function recordingStore() {
  const store = createMemoryStore()
  const log: { readonly runId: string; readonly entry: Entry }[] = []
  const recording: Store = {
    ...store,
    async append(append) {
      await store.append(append)
      for (const entry of append.entries) log.push({ runId: append.runId, entry })
    },
  }
  return { store: recording, log }
}

async function play(scenario: Scenario) {
  const { store, log } = recordingStore()
  const given = team(scenario)
  const runtime = createRuntime({ agents: given.agents, store })
  const result = await toItsEnd(runtime.run('lead', 'go'), given, { ...scenario, store })
  return { ...given, store, log, result }
}

async function journalsOf(store: Store) {
  const runs = await store.runs({ scope: 'default', limit: 1_000 })
  return Promise.all(runs.map(async record => ({ record, entries: await store.read(record.runId) })))
}

function entriesOf<TType extends Entry['type']>(entries: readonly Entry[], type: TType): EntryOf<TType>[] {
  return entries.filter((entry): entry is EntryOf<TType> => entry.type === type)
}

/** Checks what holds for every run of an ended tree. */
async function checkTree(store: Store, payments: ReadonlyMap<string, number>, rootId: string): Promise<void> {
  const journals = await journalsOf(store)
  const byId = new Map(journals.map(journal => [journal.record.runId, journal]))
  const told = new Set<string>([rootId])
  for (const { record, entries } of journals) {
    expect(record.status).not.toMatch(/running|suspended/)
    const state = await loadRun(store, record.runId)
    expect(isValidTranscript(state.transcript.toArray())).toBe(true)
    const started = entriesOf(entries, 'agent.started')
    const ended = entriesOf(entries, 'agent.ended')
    expect(new Set(started.map(({ callId, key }) => `${callId} ${key}`)).size).toBe(started.length)
    expect(ended.map(entry => entry.childRunId).toSorted()).toEqual(started.map(entry => entry.childRunId).toSorted())
    for (const { childRunId, callId, usage, outcome, seq } of ended) {
      told.add(childRunId)
      const result = entriesOf(entries, 'tool.ended').find(entry => entry.callId === callId)
      expect(seq).toBeLessThan(result?.seq ?? 0)
      const child = byId.get(childRunId)
      if (child === undefined) continue
      const childState = await loadRun(store, childRunId)
      expect([usage, outcome]).toEqual([childState.usage, childState.outcome])
      expect(child.entries[0]).toMatchObject({ relation: 'sub-agent', parent: { runId: record.runId, callId } })
    }
    const own = entries.filter(entry => entry.type === 'model.called' || entry.type === 'model.failed')
    const all = [...own, ...ended].reduce((sum, entry) => addUsage(sum, entry.usage), ZERO_USAGE)
    expect(state.usage).toEqual(all)
    expect(entriesOf(entries, 'run.ended')[0]?.usage).toEqual(all)
  }
  expect([...byId.keys()].filter(runId => !told.has(runId))).toEqual([])
  for (const count of payments.values()) expect(count).toBe(1)
}

describe('every tree of runs', () => {
  it('every tree of runs ends with valid transcripts, with each child run started and ended once within its call, and with the summed usage', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const { store, models, payments, result } = await play(scenario)
        for (const { requests } of models) {
          for (const { messages } of requests) expect(isValidTranscript(messages)).toBe(true)
        }
        expect(isValidTranscript(result.messages)).toBe(true)
        await checkTree(store, payments, result.runId)
      }),
      { numRuns: 300 },
    )
  })

  it('every tree of runs writes entries that survive JSON, and every prefix of its journals folds and decides', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        for (const { entries } of await journalsOf((await play(scenario)).store)) {
          let state = initialState()
          for (const entry of entries) {
            expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
            state = evolve(state, entry)
            expect(() => decide(state, { limits: {}, onLimit: 'stop' })).not.toThrow()
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('every tree of runs resumes after a crash between any two entries without starting a child run or a payment twice', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, fc.nat(), async (scenario, at) => {
        const first = await play(scenario)
        const cut = first.log.slice(0, 1 + (at % first.log.length))
        const store = createMemoryStore()
        for (const { runId, entry } of cut) {
          await store.append({ runId, expectedSeq: entry.seq - 1, worker: 'gone', fence: 1, entries: [entry] })
        }
        const { runId } = first.result
        const { status } = (await store.run(runId)) ?? {}
        if (status !== 'running' && status !== 'suspended') return
        const again = team(scenario)
        // Payments before the crash are not repeated.
        for (const paid of paidIn(cut)) again.payments.set(paid, 1)
        const runtime = createRuntime({ agents: again.agents, store, isWorkerGone: () => true })
        const calm = { approve: scenario.approve, cancelAfter: undefined, store }
        const result = await toItsEnd(await runtime.resume(runId), again, calm)
        expect(isValidTranscript(result.messages)).toBe(true)
        await checkTree(store, again.payments, runId)
      }),
      { numRuns: 400 },
    )
  })
})

/** Payments whose handler may have run: a handler is called after tool.started is durable. */
function paidIn(log: readonly { readonly runId: string; readonly entry: Entry }[]): string[] {
  return log.flatMap(({ runId, entry }) =>
    entry.type === 'tool.started' && entry.name === 'pay' ? `${runId}/${entry.callId}` : [],
  )
}
