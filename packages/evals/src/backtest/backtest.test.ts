import {
  defineTool,
  messageText,
  toolPending,
  type Entry,
  type ModelRequest,
  type Store,
  type Tool,
} from '@parley/core'
import { agentTool, createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { backtest } from './backtest.ts'

const input = { type: 'object' } as const

/** Tools of each effect that note each execution. */
function notingTools(executed: string[]): readonly Tool[] {
  return (['read', 'idempotent', 'once'] as const).map(effect =>
    defineTool({
      name: effect,
      description: `Is ${effect}.`,
      input,
      effect,
      execute: given => `${effect} ${JSON.stringify(given)} ${executed.push(effect)}`,
    }),
  )
}

/** A model whose answer depends on the request alone. `turn` counts the answers since the last input. */
function modelOf(say: (number: number, turn: number) => ScriptStep) {
  return scriptedModel(({ messages }: ModelRequest) => {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const asked = messages[at]
    const number = asked === undefined ? 0 : Number(messageText(asked))
    return say(number, messages.slice(at).filter(({ role }) => role === 'assistant').length)
  })
}

const call = (name: string, given: object): ScriptStep => ({
  toolCalls: [{ name, input: given as Record<string, never> }],
})
const threeCalls = (number: number, turn: number): ScriptStep =>
  [call('read', { number }), call('once', { number }), call('idempotent', { number })][turn] ?? `Done ${number}.`

async function record(agents: readonly Agent[], count: number, store: Store = createMemoryStore()): Promise<Store> {
  const runtime = createRuntime({ store, agents })
  for (let number = 0; number < count; number++) await runtime.run('clerk', String(number)).result
  await runtime.close()
  return store
}

function clerk(executed: string[], say = threeCalls): Agent {
  return defineAgent({ name: 'clerk', model: modelOf(say), tools: notingTools(executed) })
}

describe('backtest', () => {
  it('backtest repeats 1,000 runs without a single execution, counts each divergence, and makes more than 50 runs a second', async () => {
    const executed: string[] = []
    const store = await record([clerk(executed)], 1_000)
    expect(executed).toHaveLength(3_000)
    const changed = clerk(executed, (number, turn) => {
      // 30 % behave in another way: a tenth with another input, a tenth with one call more, a tenth with another answer.
      if (number % 10 === 0 && turn === 1) return call('once', { number: -1 })
      if (number % 10 === 1 && turn === 3) return call('once', { number })
      if (number % 10 === 2 && turn === 3) return `Finished ${number}.`
      return threeCalls(number, turn)
    })
    const started = performance.now()
    const report = await backtest({ store, runs: { limit: 1_000 }, agents: [changed] })
    const perSecond = 1_000 / ((performance.now() - started) / 1_000)
    process.stdout.write(`backtest: ${Math.round(perSecond)} runs/s\n`)
    expect(executed).toHaveLength(3_000)
    expect(report.counts).toEqual({ same: 700, different: 100, diverged: 200, better: 0, worse: 0 })
    expect(report.skipped).toEqual([])
    expect(report.before.modelCalls).toBe(report.after.modelCalls)
  }, 60_000)

  it('backtest says where a run diverged, and stops it there', async () => {
    const store = await record([clerk([])], 1)
    const executed: string[] = []
    const changed = clerk(executed, (number, turn) =>
      turn === 1 ? call('once', { number: 7 }) : threeCalls(number, turn),
    )
    const [run] = (await backtest({ store, agents: [changed] })).runs
    expect(run).toMatchObject({
      verdict: 'diverged',
      divergence: {
        kind: 'tool',
        tool: 'once',
        input: { number: 7 },
        reason: 'The recorded run called once, but not with this input',
      },
      firstDifference: { turn: 2, before: 'once({"number":0})', after: 'once({"number":7})' },
    })
    expect(run?.after.answers).toHaveLength(2)
    expect(executed).toEqual([])
  })

  it('backtest runs read tools that history lacks only with allowRead, and never other tools', async () => {
    const store = await record([clerk([])], 1)
    const executed: string[] = []
    const other = (name: string) =>
      clerk(executed, (number, turn) => (turn === 0 ? call(name, { other: true }) : `Done ${number}.`))
    const verdicts: string[] = []
    for (const allowRead of [false, true])
      for (const name of ['read', 'idempotent', 'once']) {
        const [run] = (await backtest({ store, agents: [other(name)], allowRead })).runs
        verdicts.push(`${name} ${run?.verdict}`)
      }
    expect(verdicts).toEqual([
      'read diverged',
      'idempotent diverged',
      'once diverged',
      'read same',
      'idempotent diverged',
      'once diverged',
    ])
    expect(executed).toEqual(['read'])
  })

  it('backtest takes decisions, results of clients, late messages and child runs from history', async () => {
    const executed: string[] = []
    const [read, , once] = notingTools(executed)
    if (read === undefined || once === undefined) throw new Error('no tools')
    const script = (): ScriptStep[] => [
      call('once', {}),
      call('pick', { of: 3 }),
      call('later', {}),
      call('helper', { task: '5' }),
      'Nearly.',
      'All.',
    ]
    const helper = (): Agent =>
      defineAgent({
        name: 'helper',
        description: 'Helps.',
        model: modelOf((_, turn) => (turn === 0 ? call('read', {}) : 'Helped.')),
        tools: [read],
      })
    const make = (): Agent => {
      const later = defineTool({
        name: 'later',
        description: 'Later.',
        input,
        execute: () => (executed.push('later'), toolPending()),
      })
      const pick = defineTool({ name: 'pick', description: 'Picks.', input })
      const tools = [{ ...once, permission: 'ask' as const }, pick, later, agentTool(helper())] as Tool[]
      return defineAgent({ name: 'clerk', model: scriptedModel(script()), tools })
    }
    const store = createMemoryStore()
    const runtime = createRuntime({ store, agents: [make()] })
    const first = runtime.run('clerk', 'go')
    void first.followUp('and more')
    const { runId } = first
    await first.result
    const [approval] = (await runtime.pending(runId)).approvals
    await (
      await runtime.decide(runId, approval?.approvalId ?? '', { decision: { type: 'approved' } })
    ).result
    for (const text of ['two', 'came later']) {
      const [waiting] = (await runtime.pending(runId)).clientCalls
      await (
        await runtime.submitToolResult(runId, waiting?.callId ?? '', text)
      ).result
    }
    expect((await store.run(runId))?.status).toBe('completed')
    expect(executed).toEqual(['once', 'later', 'read'])
    const { runs } = await backtest({ store, agents: [make()] })
    expect(runs).toMatchObject([
      { verdict: 'same', before: { text: 'All.', modelCalls: 8 }, after: { text: 'All.', modelCalls: 8 } },
    ])
    expect(runs[0]?.divergence).toBeUndefined()
    expect(executed).toEqual(['once', 'later', 'read'])
  })

  it('backtest applies a change of the instructions to the agents of the runs', async () => {
    const store = await record([clerk([])], 1)
    const model = scriptedModel(({ system }) => (system[0]?.text === 'Be brief.' ? 'Brief.' : 'Long.'))
    const agents = [clerk([])]
    const report = await backtest({ store, agents, change: { instructions: 'Be brief.', model } })
    expect(report.runs[0]).toMatchObject({
      verdict: 'different',
      before: { text: 'Done 0.' },
      after: { text: 'Brief.' },
    })
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('backtest calls a run better or worse by the score, or by whether it completed', async () => {
    const store = await record([clerk([], () => 'Long answer.')], 1)
    const agents = [clerk([], () => 'Short.')]
    const score = ({ text }: { readonly text: string }): number => -text.length
    expect((await backtest({ store, agents, score })).runs[0]).toMatchObject({
      verdict: 'better',
      scores: { before: -12, after: -6 },
    })
    const failing = [
      clerk([], () => ({ error: { code: 'model-auth', provider: 'x', model: 'y', detail: 'no' } as never })),
    ]
    expect((await backtest({ store, agents: failing })).counts).toMatchObject({ worse: 1 })
  })

  it('backtest continues the transcript of the run before, as the recorded run did', async () => {
    const seen: number[] = []
    const agent = (): Agent =>
      defineAgent({
        name: 'clerk',
        model: scriptedModel(({ messages }) => `${seen.push(messages.length)}`.slice(0, 0) + 'Fine.'),
      })
    const store = createMemoryStore()
    const runtime = createRuntime({ store, agents: [agent()] })
    const { sessionId } = await runtime.run('clerk', 'one').result
    const { runId } = await runtime.run('clerk', 'two', { sessionId }).result
    seen.length = 0
    expect((await backtest({ store, runs: [runId], agents: [agent()] })).counts.same).toBe(1)
    expect(seen).toEqual([3])
  })
})

describe('backtest with bad input', () => {
  it('backtest rejects a selection without runs with one sentence', async () => {
    await expect(
      backtest({ store: createMemoryStore(), runs: { agent: 'clerk' }, agents: [clerk([])] }),
    ).rejects.toThrow("backtest.runs: selects no run: the store has none of the agent 'clerk' in the scope 'default'")
  })

  it('backtest rejects runs of an agent that it does not get', async () => {
    const store = await record([clerk([])], 1)
    const other = defineAgent({ name: 'other', model: scriptedModel([]) })
    await expect(backtest({ store, agents: [other] })).rejects.toMatchObject({
      info: { code: 'agent-unknown', agent: 'clerk', known: ['other'] },
    })
  })

  it('backtest names a run with a damaged journal, and repeats the others', async () => {
    const store = await record([clerk([])], 3)
    const [damaged] = await store.runs({ scope: 'default' })
    const read: Store['read'] = async (runId, options) => {
      const entries = await store.read(runId, options)
      return runId === damaged?.runId ? entries.filter(({ seq }: Entry) => seq !== 3) : entries
    }
    const broken = new Proxy(store, {
      get: (target, key) => (key === 'read' ? read : (Reflect.get(target, key) as unknown)),
    })
    const { runs, skipped } = await backtest({ store: broken, agents: [clerk([])] })
    expect(runs).toHaveLength(2)
    expect(skipped).toEqual([
      { runId: damaged?.runId, reason: expect.stringContaining('lacks entries'), isDamaged: true },
    ])
  })

  it('backtest rejects the store of the runs as the store of the results', async () => {
    const store = createMemoryStore()
    await expect(backtest({ store, results: store, agents: [] })).rejects.toThrow(
      'backtest.results: is the store of the recorded runs',
    )
  })
})
