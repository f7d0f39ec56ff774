import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, ParleyError, toolPending, type Store } from '@parley/core'
import { createRuntime, defineAgent, RunFailedError, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import {
  agentTask,
  calledTool,
  contains,
  defineEval,
  defineScorer,
  exact,
  readCsv,
  readJsonl,
  readPinnedRuns,
  runEval,
  withinCost,
  withinTime,
  type EvalCase,
  type EvalProgress,
  type EvalResult,
} from '../../index.ts'

const numbers = Array.from({ length: 50 }, (_, index): EvalCase<string, string> => ({
  id: `n${index}`,
  input: String(index),
  expected: String(index * 2),
}))

const double = ({ input }: { readonly input: string }): string => String(Number(input) * 2)

describe('an eval', () => {
  it('an eval scores each case, in the order of the data', async () => {
    const result = await runEval(defineEval({ name: 'double', data: numbers, task: double, scorers: [exact()] }))
    expect(result).toMatchObject({ format: 1, name: 'double', trials: 1, passed: true, costUsd: 0 })
    expect(result.cases.map(({ id }) => id)).toEqual(numbers.map(({ id }) => id))
    expect(result.cases[3]).toMatchObject({ id: 'n3', status: 'passed', scores: { exact: 1 }, expected: '6' })
    expect(result.cases[3]?.trials[0]).toMatchObject({ trial: 1, output: '6', scores: [{ name: 'exact', score: 1 }] })
  })

  it('an eval fails a case whose mean over the trials is below the threshold', async () => {
    const half = defineScorer({ name: 'half', threshold: 0.6, score: ({ trial }) => trial === 1 })
    const free = defineScorer({ name: 'free', threshold: 0, score: () => ({ score: 0, reason: 'only reported' }) })
    const data = [{ id: 'a', input: 'x' }]
    const result = await runEval(defineEval({ name: 'half', data, task: () => 'y', scorers: [half, free], trials: 2 }))
    expect(result.passed).toBe(false)
    expect(result.cases[0]).toMatchObject({ status: 'failed', scores: { half: 0.5, free: 0 } })
    const lower = defineScorer({ name: 'half', threshold: 0.5, score: half.score })
    expect(
      await runEval(defineEval({ name: 'half', data, task: () => 'y', scorers: [lower], trials: 2 })),
    ).toMatchObject({
      passed: true,
    })
  })

  it('an eval gives scorers the tool calls, the cost and the time of an agent', async () => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      input: { type: 'object' },
      effect: 'read',
      execute: () => 'rain',
    })
    const model = scriptedModel(
      ({ messages }) =>
        messages.some(({ role }) => role === 'tool')
          ? 'It rains.'
          : { toolCalls: [{ name: 'look', input: { city: 'Bern' } }] },
      { info: { pricing: { input: 1000, output: 1000, source: 'test', date: '2026-01-01' } } },
    )
    const agent = defineAgent({ name: 'forecaster', model, tools: [look] })
    let turns = 0
    const count = defineScorer({
      name: 'count',
      score: ({ run }) => {
        turns = run.turns
        return run.calls[0]?.result === 'rain'
      },
    })
    const result = await runEval(
      defineEval({
        name: 'tools',
        data: [{ id: 'bern', input: 'Rain?', expected: 'rain' }],
        task: agentTask(agent),
        scorers: [contains(), calledTool('look', { city: 'Bern' }), withinCost(0.05), withinTime(10_000), count],
      }),
    )
    expect(result.cases[0]).toMatchObject({ status: 'passed', scores: { contains: 1, 'calledTool look': 1, count: 1 } })
    expect(turns).toBe(2)
    // 2 calls with 15 tokens each, at $1,000 per million.
    expect(result.costUsd).toBeCloseTo(0.03, 10)
    expect(result.cases[0]?.trials[0]?.costUsd).toBeCloseTo(0.03, 10)
  })

  it('an eval finishes if a model fails in 1 of 50 cases, and says which one', async () => {
    const model = scriptedModel(({ messages }) => {
      const text = JSON.stringify(messages)
      const error = { code: 'model-content-filter', provider: 'scripted', detail: 'Refused 13.' } as const
      return text.includes('"13"') ? { error } : 'Done.'
    })
    const agent = defineAgent({ name: 'doubler', model })
    const anything = defineScorer({ name: 'anything', score: () => true })
    const result = await runEval(
      defineEval({ name: 'flaky', data: numbers, task: agentTask(agent), scorers: [anything] }),
    )
    expect(result.passed).toBe(false)
    const wrong = result.cases.filter(({ status }) => status !== 'passed')
    expect(wrong.map(({ id, status }) => [id, status])).toEqual([['n13', 'error']])
    expect(wrong[0]?.trials[0]).toMatchObject({ error: expect.stringContaining('Refused 13.'), scores: [] })
  })

  it('an eval finishes if a scorer throws or returns an invalid score, and keeps the other scores', async () => {
    const broken = defineScorer({
      name: 'broken',
      score: ({ id }) => {
        if (id === 'n1') throw new Error('no connection')
        return id === 'n2' ? 7 : 1
      },
    })
    const data = numbers.slice(0, 4)
    const result = await runEval(defineEval({ name: 'broken', data, task: double, scorers: [exact(), broken] }))
    expect(result.cases.map(({ status }) => status)).toEqual(['passed', 'error', 'error', 'passed'])
    expect(result.cases[1]?.trials[0]?.scores).toEqual([
      { name: 'exact', score: 1 },
      { name: 'broken', error: 'no connection' },
    ])
    expect(result.cases[2]?.trials[0]?.scores[1]?.error).toContain('7')
    expect(result.passed).toBe(false)
  })

  it('an eval reports a task that returns a value which is not JSON', async () => {
    const data = numbers.slice(0, 1)
    const result = await runEval(defineEval({ name: 'none', data, task: () => undefined, scorers: [withinTime(1000)] }))
    expect(result.cases[0]?.trials[0]?.error).toContain('the task returned undefined')
  })

  it('an eval ends with an error in the case if the agent waits for an approval or for a client', async () => {
    const later = defineTool({
      name: 'later',
      description: 'Later.',
      input: { type: 'object' },
      execute: () => toolPending(),
    })
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 'paid',
    })
    const model = scriptedModel(({ messages }) => {
      const [{ content } = {}] = messages
      return { toolCalls: [{ name: JSON.stringify(content).includes('pay') ? 'pay' : 'later' }] }
    })
    const store = createMemoryStore()
    await using runtime = createRuntime({ store })
    const result = await runEval(
      defineEval({
        name: 'waits',
        data: [
          { id: 'approval', input: 'pay' },
          { id: 'client', input: 'later' },
        ],
        task: agentTask(defineAgent({ name: 'payer', model, tools: [later, pay] })),
        scorers: [withinTime(1000)],
      }),
      { runtime },
    )
    expect(result.cases.map(({ status }) => status)).toEqual(['error', 'error'])
    expect(result.cases[0]?.trials[0]?.error).toMatch(/approval/)
    expect(await store.runs({ scope: 'default', status: 'suspended' })).toEqual([])
  })

  it('an eval stops starting trials when the cost is reached, and says so', async () => {
    const pricing = { input: 1000, output: 1000, source: 'test', date: '2026-01-01' }
    const agent = defineAgent({ name: 'paid', model: scriptedModel(() => 'Done.', { info: { pricing } }) })
    const paying = (agent: Agent) =>
      defineEval({ name: 'paid', data: numbers, task: agentTask(agent), scorers: [withinTime(60_000)] })
    // A case costs 1.5 cents.
    const result = await runEval(paying(agent), { maxCost: 0.1, concurrency: 1 })
    expect(result).toMatchObject({ stopped: 'the cost reached $0.1', passed: false })
    expect(result.cases.filter(({ status }) => status === 'passed')).toHaveLength(7)
    expect(result.cases.filter(({ status }) => status === 'not-run')).toHaveLength(43)
    const unpriced = defineAgent({ name: 'unpriced', model: scriptedModel(() => 'Done.') })
    const unknown = await runEval(paying(unpriced), { maxCost: 0.1, concurrency: 1 })
    expect(unknown.stopped).toContain('the price of a model is unknown')
    expect(unknown.cases.filter(({ status }) => status === 'not-run')).toHaveLength(49)
  })

  it('an eval reports its progress and hands over its result before its run ends', async () => {
    const progress: EvalProgress[] = []
    const store = createMemoryStore()
    await using runtime = createRuntime({ store })
    let kept: EvalResult | undefined
    const result = await runEval(defineEval({ name: 'double', data: numbers, task: double, scorers: [exact()] }), {
      runtime,
      filter: 'n1',
      onProgress: each => progress.push(each),
      onResult: async each => {
        expect((await store.run(each.runId))?.status).toBe('running')
        kept = each
      },
    })
    expect(result.cases.map(({ id }) => id)).toEqual(['n1', ...Array.from({ length: 10 }, (_, index) => `n1${index}`)])
    expect(kept).toEqual(result)
    expect(progress.map(({ done }) => done)).toEqual(Array.from({ length: 12 }, (_, index) => index))
    expect(progress.at(-1)).toMatchObject({ total: 11, done: 11, resumed: 0, ended: { status: 'passed' } })
  })

  it('an eval can run twice, and at the same time as another one, in a runtime', async () => {
    await using runtime = createRuntime({ store: createMemoryStore() })
    const first = defineEval({ name: 'first', data: numbers, task: double, scorers: [exact()] })
    const second = { ...first, name: 'second' }
    const results = await Promise.all([runEval(first, { runtime }), runEval(second, { runtime })])
    expect(results.map(({ passed }) => passed)).toEqual([true, true])
    expect((await runEval(first, { runtime })).runId).not.toBe(results[0].runId)
  })

  it('an eval takes 1,000 cases in computing time that grows with their number', async () => {
    const data = Array.from({ length: 1000 }, (_, index) => ({ id: String(index), input: String(index) }))
    const time = async (count: number): Promise<number> => {
      // Unlike the time of day, the computing time excludes what other processes take.
      const from = process.cpuUsage()
      const many = { name: 'many', task: double, scorers: [withinTime(60_000)], concurrency: 8 }
      expect((await runEval(defineEval({ ...many, data: data.slice(0, count) }))).passed).toBe(true)
      return process.cpuUsage(from).user / 1_000
    }
    await time(100)
    const [few, many] = [await time(100), await time(1000)]
    process.stdout.write(`evals: ${JSON.stringify({ few: Math.round(few), many: Math.round(many) })} ms\n`)
    expect(many).toBeLessThan(few * 40)
  })

  it('an eval is cancelled by its signal', async () => {
    const controller = new AbortController()
    const waits = defineEval({
      name: 'waits',
      data: numbers,
      scorers: [exact()],
      task: ({ signal }) => {
        controller.abort(new Error('enough'))
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    await expect(runEval(waits, { signal: controller.signal })).rejects.toThrow(RunFailedError)
  })
})

describe('the data of an eval', () => {
  const evalOf = (data: Parameters<typeof defineEval>[0]['data']) =>
    defineEval({ name: 'data', data, task: ({ input }) => input, scorers: [withinTime(1000)] })
  const refused = async (data: Parameters<typeof defineEval>[0]['data']): Promise<string> => {
    const error: unknown = await runEval(evalOf(data)).catch((thrown: unknown) => thrown)
    return error instanceof ParleyError ? error.message : `not refused: ${String(error)}`
  }
  const fileOf = async (name: string, text: string): Promise<string> => {
    const path = join(await mkdtemp(join(tmpdir(), 'parley-evals-')), name)
    await writeFile(path, text)
    return path
  }

  it('the data of an eval is refused before anything runs if ids are missing or occur twice, or a value is not JSON', async () => {
    expect(await refused([])).toContain('evals.data.data: is empty')
    expect(
      await refused([
        { id: 'a', input: 1 },
        { id: 'a', input: 2 },
      ]),
    ).toContain("data[1].id: 'a' is also the id of")
    expect(await refused([{ input: 1 } as never])).toContain('data[0].id: is missing')
    expect(await refused([{ id: 'a', input: () => 1 }])).toContain('data[0].input: must be JSON')
    expect(await refused([undefined as never])).toContain('data[0]: must be a case')
    expect(await refused(() => 3 as never)).toContain('must be a list of cases')
  })

  it('the data of an eval comes from JSONL, whose errors name the file and the line', async () => {
    const good = await fileOf('cases.jsonl', '\uFEFF{"id":"a","input":"1","expected":2}\n\n{"id":"b","input":[true]}\n')
    expect(await readJsonl(good)()).toEqual([
      { id: 'a', input: '1', expected: 2 },
      { id: 'b', input: [true] },
    ])
    expect(await refused(readJsonl('missing.jsonl'))).toMatch(/missing\.jsonl.*does not exist/)
    expect(await refused(readJsonl(await fileOf('x.jsonl', '{"id":"a","input":1}\n{')))).toMatch(
      /x\.jsonl:2.*is not JSON/,
    )
    expect(await refused(readJsonl(await fileOf('x.jsonl', '[]')))).toMatch(/x\.jsonl:1.*must be a JSON object/)
    expect(await refused(readJsonl(await fileOf('x.jsonl', '{"input":1}')))).toMatch(/x\.jsonl:1.*has no id/)
    expect(await refused(readJsonl(await fileOf('x.jsonl', '{"id":"a"}')))).toMatch(/x\.jsonl:1.*has no input/)
    const twice = await fileOf('x.jsonl', '{"id":"a","input":1}\n\n{"id":"a","input":2}')
    expect(await refused(readJsonl(twice))).toMatch(/x\.jsonl:3.*'a' is also the id of line 1/)
  })

  it('the data of an eval comes from CSV, with quoted texts over several lines', async () => {
    const good = await fileOf('cases.csv', 'id,input,expected,topic\na,"one, ""two""\nthree",3,x\nb,four,,y\n')
    expect(await readCsv(good)()).toEqual([
      { id: 'a', input: 'one, "two"\nthree', expected: '3', metadata: { topic: 'x' } },
      { id: 'b', input: 'four', expected: undefined, metadata: { topic: 'y' } },
    ])
    const numbersOf = readCsv(good, { toCase: ({ id = '', expected }) => ({ id, input: Number(expected) }) })
    expect((await numbersOf()).map(({ input }) => input)).toEqual([3, 0])
    expect(await refused(readCsv(await fileOf('x.csv', 'id,input\na,1,2\n')))).toMatch(/x\.csv:2/)
    expect(await refused(readCsv(await fileOf('x.csv', 'id,text\na,1\n')))).toMatch(/x\.csv:2.*has no input/)
    const throws = readCsv(good, {
      toCase: () => {
        throw new Error('unfit')
      },
    })
    expect(await refused(throws)).toMatch(/cases\.csv:3.*unfit/)
  })

  it('the data of an eval comes from pinned runs, whose answers are expected', async () => {
    const store: Store = createMemoryStore()
    await using runtime = createRuntime({ store })
    const agent = defineAgent({ name: 'helper', model: scriptedModel(['Hello.']) })
    const { runId } = await runtime.invoke(agent, 'Hi')
    const failing = runtime.run(defineAgent({ name: 'broken', model: scriptedModel([]) }), 'Hi')
    await failing.result
    expect(await readPinnedRuns(store, [runId])()).toEqual([
      { id: runId, input: 'Hi', expected: 'Hello.', metadata: { agent: 'helper' } },
    ])
    expect(await refused(readPinnedRuns(store, ['missing']))).toContain('missing')
    expect(await refused(readPinnedRuns(store, [failing.runId]))).toContain('did not complete')
  })
})

describe('defineEval', () => {
  const fine = { name: 'fine', data: numbers, task: double, scorers: [exact()] }

  it.each<[string, object, string]>([
    ['an unknown option', { judge: 1 }, 'defineEval.judge: is an unknown option'],
    ['a name that is no file name', { name: 'a/b' }, 'defineEval.name'],
    ['no scorer', { scorers: [] }, 'evals.fine.scorers: is empty'],
    ['two scorers with one name', { scorers: [exact(), exact()] }, "two are named 'exact'"],
    ['half a trial', { trials: 0.5 }, 'evals.fine.trials'],
    ['a negative cost', { maxCost: -1 }, 'evals.fine.maxCost'],
  ])('defineEval refuses %s', (_, fields, words) => {
    expect(() => defineEval({ ...fine, ...fields } as never)).toThrow(words)
  })

  it('defineEval refuses a runtime without a store, and a filter that no case has', async () => {
    await expect(runEval(defineEval(fine), { runtime: createRuntime() })).rejects.toThrow('has no store')
    await expect(runEval(defineEval(fine), { filter: 'x' })).rejects.toThrow("contains 'x'")
  })
})
