import { defineTool, ParleyError, type Entry, type Store, type Tool } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent, type Agent, type Run } from '../../index.ts'
import { ASK, resultsIn, setUpTeam } from './__fixtures__/set-up-team.ts'

type Cut = (entries: readonly Entry[]) => number

/** Index after the last entry of a type. */
const after =
  (type: Entry['type']): Cut =>
  entries =>
    entries.findLastIndex(entry => entry.type === type) + 1

/** A store after a crash, with the journals of the parent run and the child run cut. */
async function crashed(store: Store, runId: string, { caller, child }: { caller: Cut; child: Cut }) {
  const entries = await store.read(runId)
  const childId = entries.find(entry => entry.type === 'agent.started')?.childRunId ?? ''
  const left = createMemoryStore()
  for (const [id, cut] of [
    [runId, caller],
    [childId, child],
  ] as const) {
    const all = await store.read(id)
    const kept = all.slice(0, cut(all))
    if (kept.length > 0) await left.append({ runId: id, expectedSeq: 0, worker: 'gone', fence: 1, entries: kept })
  }
  return { left, childId }
}

const NOTHING: Cut = () => 0
const BEGUN: Cut = () => 2
const ALL: Cut = entries => entries.length

/** The same agents in a process that starts after the crash. */
function anew(helper: Partial<Agent>, tools?: (helper: Agent) => readonly Tool[]) {
  const helperModel = scriptedModel(['Found later.'])
  const helperAgent = defineAgent({ name: 'helper', model: helperModel, ...helper })
  const leadModel = scriptedModel(['Done later.'])
  const leadTools = tools?.(helperAgent) ?? [agentTool(helperAgent)]
  const lead = defineAgent({ name: 'lead', model: leadModel, tools: leadTools })
  const resume = async (store: Store, runId: string) =>
    (await createRuntime({ agents: [lead], store, isWorkerGone: () => true }).resume(runId)).result
  return { helperModel, leadModel, resume }
}

describe('after a crash', () => {
  it('after a crash a child run resumes in the same run and repeats no finished call', async () => {
    const ran: string[] = []
    const note = (where: string) =>
      defineTool({ name: 'note', description: 'd', input: { type: 'object' }, execute: () => ran.push(where) })
    const store = createMemoryStore()
    const { runtimeOn } = setUpTeam({
      helper: [{ toolCalls: [{ name: 'note' }] }, 'Found.'],
      helperAgent: { tools: [note('before')] },
    })
    const { runId } = await runtimeOn(store).run('lead', 'go').result
    const { left, childId } = await crashed(store, runId, {
      caller: after('agent.started'),
      child: after('tool.ended'),
    })
    const { resume, helperModel } = anew({ tools: [note('after')] })
    const result = await resume(left, runId)
    expect(result).toMatchObject({ status: 'completed', text: 'Done later.' })
    expect(resultsIn(result.messages)).toEqual(['Found later.'])
    expect(helperModel.requests[0]?.messages).toHaveLength(3)
    expect(ran).toEqual(['before'])
    expect((await left.runs({ scope: 'default' })).map(record => record.runId).toSorted()).toEqual(
      [runId, childId].toSorted(),
    )
    expect((await left.read(childId)).filter(entry => entry.type === 'run.started')).toHaveLength(1)
  })

  it('after a crash an ended child run is not repeated', async () => {
    const store = createMemoryStore()
    const { runId } = await setUpTeam().runtimeOn(store).run('lead', 'go').result
    const { left } = await crashed(store, runId, { caller: after('agent.started'), child: ALL })
    const { resume, helperModel } = anew({})
    const result = await resume(left, runId)
    expect(resultsIn(result.messages)).toEqual(['Found.'])
    expect(helperModel.requests).toHaveLength(0)
    expect(result.usage).toMatchObject({ input: 30 })
  })

  it('after a crash a child run that had not started begins with the recorded id', async () => {
    const store = createMemoryStore()
    const { runId } = await setUpTeam().runtimeOn(store).run('lead', 'go').result
    const { left, childId } = await crashed(store, runId, { caller: after('agent.started'), child: NOTHING })
    const result = await anew({}).resume(left, runId)
    expect(resultsIn(result.messages)).toEqual(['Found later.'])
    expect((await left.run(childId))?.status).toBe('completed')
  })

  it('after a crash a child run is resumed whose first append arrives after the look for it', async () => {
    const store = createMemoryStore()
    const { runId } = await setUpTeam().runtimeOn(store).run('lead', 'go').result
    const { left, childId } = await crashed(store, runId, { caller: after('agent.started'), child: NOTHING })
    const sent = (await store.read(childId)).slice(0, 2)
    const late: Store = {
      ...left,
      append: async append => {
        if (append.runId === childId && (await left.run(childId)) === undefined)
          await left.append({ runId: childId, expectedSeq: 0, worker: 'gone', fence: 1, entries: sent })
        return left.append(append)
      },
    }
    const result = await anew({}).resume(late, runId)
    expect(resultsIn(result.messages)).toEqual(['Found later.'])
    expect((await left.run(childId))?.status).toBe('completed')
    expect((await left.read(childId)).filter(entry => entry.type === 'run.started')).toHaveLength(1)
  })

  it.each([
    [
      'of a once tool is ended, and its call is reported as interrupted',
      { effect: 'once', asks: true, words: 'was interrupted by a crash' },
    ],
    ['that its handler no longer requests is ended', { effect: 'idempotent', asks: false, words: 'nothing' }],
  ] as const)('a child run %s after a crash', async (_, { effect, asks, words }) => {
    const work = (helper: Agent | undefined): Tool[] => [
      defineTool({
        name: 'work',
        description: 'd',
        input: { type: 'object' },
        effect,
        execute: async (_input, { delegate }) => {
          if (helper === undefined) return 'nothing'
          const result = await delegate?.({ agent: helper, input: 'x' })
          return result?.status === 'completed' ? result.text : 'nothing'
        },
      }),
    ]
    const store = createMemoryStore()
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['Found.']) })
    const model = scriptedModel([{ toolCalls: [{ name: 'work' }] }, 'Done.'])
    const lead = defineAgent({ name: 'lead', model, tools: work(helper) })
    const { runId } = await createRuntime({ agents: [lead], store }).run('lead', 'go').result
    const { left, childId } = await crashed(store, runId, { caller: after('agent.started'), child: BEGUN })
    const { resume, helperModel } = anew({}, agent => work(asks ? agent : undefined))
    const result = await resume(left, runId)
    expect(resultsIn(result.messages)[0]).toContain(words)
    expect((await left.run(childId))?.status).toBe('cancelled')
    expect(helperModel.requests).toHaveLength(0)
    const types = (await left.read(runId)).map(entry => entry.type)
    expect(types.indexOf('agent.ended')).toBeLessThan(types.indexOf('tool.ended'))
  })

  it('a handler that delegates to another agent after a crash fails, and the first child run is ended', async () => {
    const store = createMemoryStore()
    const { runId } = await setUpTeam().runtimeOn(store).run('lead', 'go').result
    const { left, childId } = await crashed(store, runId, { caller: after('agent.started'), child: BEGUN })
    const other = defineAgent({ name: 'other', model: scriptedModel(['Mine.']) })
    const { resume } = anew({}, () => [{ ...agentTool(other), name: 'helper' }])
    const result = await resume(left, runId)
    expect(resultsIn(result.messages)[0]).toContain("'#0' was given to 'helper' before, not to 'other'")
    expect((await left.run(childId))?.status).toBe('cancelled')
    expect((await left.read(runId)).filter(entry => entry.type === 'agent.ended')).toHaveLength(1)
  })
})

it('a parent run that loses its store releases its child run instead of cancelling it', async () => {
  const store = createMemoryStore()
  let broken = ''
  const flaky: Store = {
    ...store,
    append: append =>
      append.runId === broken
        ? Promise.reject(new ParleyError({ code: 'store-unavailable', store: 'flaky', detail: 'gone' }))
        : store.append(append),
  }
  const working = Promise.withResolvers<void>()
  const fail = defineTool({
    name: 'fail',
    description: 'd',
    input: { type: 'object' },
    execute: async (_, { run }) => {
      await working.promise
      broken = run.runId
    },
  })
  const { helperAgent } = setUpTeam({
    helper: () => {
      working.resolve()
      return { hang: true }
    },
  })
  const model = scriptedModel([{ toolCalls: [...ASK.toolCalls, { name: 'fail' }] }])
  const lead = defineAgent({ name: 'lead', model, tools: [agentTool(helperAgent), fail] })
  const runtime = createRuntime({ agents: [lead], store: flaky })
  const { runId, status } = await runtime.run('lead', 'go').result
  expect(status).toBe('interrupted')
  await runtime.close()
  const childId = (await store.read(runId)).find(entry => entry.type === 'agent.started')?.childRunId ?? ''
  expect((await store.read(childId)).map(entry => entry.type)).toEqual(['run.started', 'message.appended'])
  const { resume } = anew({}, helper => [agentTool(helper), fail])
  const result = await resume(store, runId)
  expect(resultsIn(result.messages)[0]).toBe('Found later.')
  expect((await store.run(childId))?.status).toBe('completed')
})

it('a child run that cannot begin because the store is unavailable leaves no result, and the resumed parent run starts it', async () => {
  const store = createMemoryStore()
  let isGone = false
  const flaky: Store = {
    ...store,
    runs: query => {
      if (isGone || query.sessionId !== 'own') return store.runs(query)
      isGone = true
      return Promise.reject(new ParleyError({ code: 'store-unavailable', store: 'flaky', detail: 'gone' }))
    },
  }
  const inSession = (helper: Agent): readonly Tool[] => [
    defineTool({
      name: 'helper',
      description: 'd',
      input: { type: 'object' },
      effect: 'idempotent',
      execute: async (_, { delegate }) => {
        const result = await delegate?.({ agent: helper, input: 'look', sessionId: 'own' })
        return result?.status === 'completed' ? result.text : `was ${result?.status}`
      },
    }),
  ]
  const { helperAgent } = setUpTeam()
  const { runtimeOn } = setUpTeam({ leadAgent: { tools: inSession(helperAgent) } })
  const first = await runtimeOn(flaky).run('lead', 'go').result
  expect(isGone).toBe(true)
  expect(first).toMatchObject({ status: 'interrupted', error: { code: 'store-unavailable' } })
  const result = await anew({}, inSession).resume(store, first.runId)
  expect(result).toMatchObject({ status: 'completed', text: 'Done later.' })
  expect(resultsIn(result.messages)).toEqual(['Found later.'])
})

it('a decision about a child run that is suspended while the decision waits for the store resumes the root run', async () => {
  const store = createMemoryStore()
  const heartbeat = Promise.withResolvers<void>()
  let deciding: Promise<Run> | undefined
  const slow: Store = {
    ...store,
    heartbeat: async beat => {
      await heartbeat.promise
      return store.heartbeat(beat)
    },
    append: async append => {
      const [entry] = append.entries.filter(({ type }) => type === 'run.suspended')
      // The parent run is suspended after the child run.
      if (entry?.type === 'run.suspended' && deciding === undefined) {
        const decision = { type: 'approved' } as const
        deciding = runtime.decide(append.runId, entry.approvals[0]?.approvalId ?? '', { decision })
      }
      await store.append(append)
    },
  }
  // Each heartbeat is due.
  let time = 0
  const clock = { ...fakeClock(), monotonic: () => (time += 60_000) }
  const pay = defineTool({
    name: 'pay',
    description: 'd',
    input: { type: 'object' },
    permission: 'ask',
    execute: () => 'paid',
  })
  const { leadAgent } = setUpTeam({
    helper: [{ toolCalls: [{ name: 'pay' }] }, 'Paid.'],
    helperAgent: { tools: [pay] },
  })
  const runtime = createRuntime({ agents: [leadAgent], store: slow, clock })
  const first = await runtime.run('lead', 'go').result
  expect(first.status).toBe('suspended')
  heartbeat.resolve()
  const run = await deciding
  expect(run?.runId).toBe(first.runId)
  expect(resultsIn((await run?.result)?.messages ?? [])).toEqual(['Paid.'])
})
