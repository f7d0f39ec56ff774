import { defineTool, type ModelInfo } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel, type Script, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { resultsIn } from './__fixtures__/results-in.ts'
import { bestOf, createJudge, type BestOfOptions, type Selection } from './index.ts'

const error = { code: 'model-server', provider: 'p', detail: 'down' } as const
const used = (text: string, output: number): ScriptStep => ({ text, usage: { input: 0, output } })
const priced = (output: number): ModelInfo => ({ pricing: { input: 0, output, source: 'here', date: '2026-01-01' } })

function candidate(step: ScriptStep, info: ModelInfo = {}) {
  return defineAgent({ name: 'c', model: scriptedModel([step], { info }) })
}

function choose(steps: readonly ScriptStep[], strategy: BestOfOptions['strategy']) {
  return bestOf(
    createRuntime(),
    steps.map(step => candidate(step)),
    { input: 'go', strategy },
  )
}

describe('bestOf', () => {
  it('only-one selects the only candidate and rejects any other number of candidates', async () => {
    expect(await choose(['a'], 'only-one')).toMatchObject({ status: 'selected', index: 0, winner: { text: 'a' } })
    await expect(choose(['a', 'b'], 'only-one')).rejects.toThrow(
      "candidates: contain 2 agents; 'only-one' requires exactly one",
    )
    await expect(choose([], 'cheapest')).rejects.toThrow('candidates: must contain at least one agent')
  })

  it('first selects the candidate that completes first, ignores failures and stops the others', async () => {
    const result = await choose([{ hang: true }, { error }, 'c'], 'first')
    expect(result).toMatchObject({ status: 'selected', index: 2 })
    expect(result.results.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'completed'])
  })

  it('cheapest selects the lowest cost if all costs are known, otherwise the fewest tokens, and the first of equals', async () => {
    expect(await choose([used('a', 30), used('b', 10), used('c', 10)], 'cheapest')).toMatchObject({ index: 1 })
    const agents = [candidate(used('few but dear', 10), priced(9)), candidate(used('many but cheap', 30), priced(1))]
    const result = await bestOf(createRuntime(), agents, { input: 'go', strategy: 'cheapest' })
    expect(result).toMatchObject({ index: 1, cost: { candidates: { usd: 120 / 1_000_000 } } })
    const unpriced = [candidate(used('few but dear', 10), priced(9)), candidate(used('many, no price', 30))]
    expect(await bestOf(createRuntime(), unpriced, { input: 'go', strategy: 'cheapest' })).toMatchObject({ index: 0 })
  })

  it('most-elaborate selects the most tokens, and the last of equals', async () => {
    expect(await choose([used('a', 30), used('b', 10), used('c', 30)], 'most-elaborate')).toMatchObject({ index: 2 })
  })

  it.each(['first', 'cheapest', 'most-elaborate'] as const)(
    '%s selects no candidate when all have failed',
    async strategy => {
      expect(await choose([{ error }, { error }], strategy)).toMatchObject({
        status: 'failed',
        error: { code: 'selection-failed', strategy, detail: 'no candidate completed: 1 failed, 2 failed.' },
        results: [{ status: 'failed' }, { status: 'failed' }],
      })
    },
  )

  it('bestOf accepts a function as strategy and fails if it selects a candidate that did not complete', async () => {
    const longest: Selection = ([one, other]) => (one !== undefined && other !== undefined ? other.index : 0)
    expect(await choose(['a', { error }, 'c'], longest)).toMatchObject({ index: 2 })
    const wrong: Selection = () => 1
    expect(await choose(['a', { error }, 'c'], wrong)).toMatchObject({ status: 'failed', error: { strategy: 'wrong' } })
    const broken: Selection = () => Promise.reject(new Error('no idea'))
    expect(await choose(['a'], broken)).toMatchObject({ status: 'failed', error: { detail: 'no idea' } })
  })

  it('bestOf rejects an unknown strategy with config-invalid', async () => {
    await expect(choose(['a'], 'best' as 'first')).rejects.toThrow("strategy: is 'best'; must be a function or one of")
  })
})

describe('createJudge', () => {
  function judging(script: Script, options: Partial<Parameters<typeof createJudge>[0]> = {}) {
    const model = scriptedModel(script)
    return { model, strategy: createJudge({ model, ...options }) }
  }

  it('judge selects the number that its model replies, and its usage is counted separately', async () => {
    const { model, strategy } = judging([{ text: ' 2\n', usage: { input: 500, output: 1 } }])
    const result = await choose([used('first', 1), { error }, used('third', 2)], strategy)
    expect(result).toMatchObject({
      status: 'selected',
      index: 2,
      winner: { text: 'third' },
      usage: { candidates: { output: 8 }, selection: { input: 500, output: 1 } },
    })
    const [message] = model.requests[0]?.messages ?? []
    expect(JSON.stringify(message)).toContain(
      'Task:\\ngo\\n\\nAnswer 1:\\nfirst\\n\\nAnswer 2:\\nthird\\n\\nReply with the number of the best answer, 1 to 2',
    )
  })

  it('judge does not ask its model about a single candidate', async () => {
    const { model, strategy } = judging([])
    expect(await choose([{ error }, 'b'], strategy)).toMatchObject({ index: 1 })
    expect(model.requests).toHaveLength(0)
  })

  it.each(['', 'The second.', '2.', '1 or 2', '0', '3', '-1', '1e0', '99999999999999999999'])(
    'judge asks once more after the reply %j and then fails',
    async reply => {
      const once = judging([reply, '1'])
      expect(await choose(['a', 'b'], once.strategy)).toMatchObject({ index: 0 })
      expect(JSON.stringify(once.model.requests[1]?.messages)).toContain('is not one number from 1 to 2')
      const twice = judging([reply, reply, '1'])
      expect(await choose(['a', 'b'], twice.strategy)).toMatchObject({
        status: 'failed',
        error: { code: 'selection-failed', strategy: 'judge' },
      })
      expect(twice.model.requests).toHaveLength(2)
    },
  )

  it('judge selects no candidate when its model fails', async () => {
    expect(await choose(['a', 'b'], judging([{ error }]).strategy)).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining("the judge's run ended as failed: p failed") as unknown },
    })
  })

  it('judge sends its instructions and at most maxInputChars characters, and rejects a maximum below 100', async () => {
    const { model, strategy } = judging(['1'], { instructions: 'The shortest.', maxInputChars: 300 })
    await choose([`A${'x'.repeat(5_000)}Z`, 'b'], strategy)
    const [request] = model.requests
    expect(request?.system).toEqual([{ text: 'The shortest.' }])
    const text = JSON.stringify(request?.messages)
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/Ax+ \[…\] x+Z/)
    expect(() => judging([], { maxInputChars: 10 })).toThrow('maxInputChars: is 10')
  })

  it('judge shortens its question to the window of its model', async () => {
    const model = scriptedModel(['1'], { info: { contextWindow: 400 } })
    await choose(['long '.repeat(2_000), 'b'], createJudge({ model }))
    expect(JSON.stringify(model.requests[0]?.messages).length).toBeLessThan(900)
  })

  it('bestOf with a judge in a handler runs child runs that count in the parent run', async () => {
    const { strategy } = judging(['2'])
    const agents = [candidate('a'), candidate('b')]
    const pick = defineTool({
      name: 'pick',
      description: 'd',
      input: { type: 'object' },
      execute: async (_, context) => {
        const result = await bestOf(context, agents, { input: 'go', strategy })
        return result.status === 'selected' ? result.winner.text : 'none'
      },
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'pick' }] }, 'Done.'])
    const runtime = createRuntime({ agents: [defineAgent({ name: 'lead', model, tools: [pick] })] })
    const result = await runtime.run('lead', 'go').result
    expect(resultsIn(result.messages)).toEqual(['b'])
    expect(result.usage).toMatchObject({ input: 50 })
  })
})
