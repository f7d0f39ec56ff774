import { defineTool, type ModelInfo } from '@parley/core'
import { scriptedModel, type Script, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { bestOf, createRuntime, defineAgent, judge, type BestOfOptions, type Selection } from '../index.ts'
import { resultsIn } from './__fixtures__/set-up-team.ts'

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
  it('only-one takes the one there is, and refuses any other number', async () => {
    expect(await choose(['a'], 'only-one')).toMatchObject({ status: 'selected', index: 0, winner: { text: 'a' } })
    await expect(choose(['a', 'b'], 'only-one')).rejects.toThrow("candidates: are 2, 'only-one' takes exactly one")
    await expect(choose([], 'cheapest')).rejects.toThrow('candidates: are none')
  })

  it('first takes whichever completes first, a failure never, and stops the others', async () => {
    const result = await choose([{ hang: true }, { error }, 'c'], 'first')
    expect(result).toMatchObject({ status: 'selected', index: 2 })
    expect(result.results.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'completed'])
  })

  it('cheapest takes the least cost where all is known, else the fewest tokens; the first of equals', async () => {
    expect(await choose([used('a', 30), used('b', 10), used('c', 10)], 'cheapest')).toMatchObject({ index: 1 })
    const agents = [candidate(used('few but dear', 10), priced(9)), candidate(used('many but cheap', 30), priced(1))]
    const result = await bestOf(createRuntime(), agents, { input: 'go', strategy: 'cheapest' })
    expect(result).toMatchObject({ index: 1, cost: { candidates: { usd: 120 / 1_000_000 } } })
    const unpriced = [candidate(used('few but dear', 10), priced(9)), candidate(used('many, no price', 30))]
    expect(await bestOf(createRuntime(), unpriced, { input: 'go', strategy: 'cheapest' })).toMatchObject({ index: 0 })
  })

  it('most-elaborate takes the most tokens; the last of equals', async () => {
    expect(await choose([used('a', 30), used('b', 10), used('c', 30)], 'most-elaborate')).toMatchObject({ index: 2 })
  })

  it.each(['first', 'cheapest', 'most-elaborate'] as const)('%s chooses none when all have failed', async strategy => {
    expect(await choose([{ error }, { error }], strategy)).toMatchObject({
      status: 'failed',
      error: { code: 'selection-failed', strategy, detail: 'none completed: 1 failed, 2 failed.' },
      results: [{ status: 'failed' }, { status: 'failed' }],
    })
  })

  it('takes a function, and refuses what it chooses when that has not completed', async () => {
    const longest: Selection = ([one, other]) => (one !== undefined && other !== undefined ? other.index : 0)
    expect(await choose(['a', { error }, 'c'], longest)).toMatchObject({ index: 2 })
    const wrong: Selection = () => 1
    expect(await choose(['a', { error }, 'c'], wrong)).toMatchObject({ status: 'failed', error: { strategy: 'wrong' } })
    const broken: Selection = () => Promise.reject(new Error('no idea'))
    expect(await choose(['a'], broken)).toMatchObject({ status: 'failed', error: { detail: 'no idea' } })
  })

  it('refuses a strategy that is none', async () => {
    await expect(choose(['a'], 'best' as 'first')).rejects.toThrow(
      "strategy: is 'best', it must be a function or one of",
    )
  })
})

describe('judge', () => {
  function judging(script: Script, options: Partial<Parameters<typeof judge>[0]> = {}) {
    const model = scriptedModel(script)
    return { model, strategy: judge({ model, ...options }) }
  }

  it('takes the number its model replies, and is counted apart', async () => {
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

  it('is not asked about one candidate alone', async () => {
    const { model, strategy } = judging([])
    expect(await choose([{ error }, 'b'], strategy)).toMatchObject({ index: 1 })
    expect(model.requests).toHaveLength(0)
  })

  it.each(['', 'The second.', '2.', '1 or 2', '0', '3', '-1', '1e0', '99999999999999999999'])(
    'asks once more about the reply %j, and then gives up',
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

  it('whose model fails chooses none', async () => {
    expect(await choose(['a', 'b'], judging([{ error }]).strategy)).toMatchObject({
      status: 'failed',
      error: { detail: expect.stringContaining('its run ended as failed: p failed') as unknown },
    })
  })

  it('is told what counts, and shown no more than it may read', async () => {
    const { model, strategy } = judging(['1'], { instructions: 'The shortest.', maxInputChars: 300 })
    await choose([`A${'x'.repeat(5_000)}Z`, 'b'], strategy)
    const [request] = model.requests
    expect(request?.system).toEqual([{ text: 'The shortest.' }])
    const text = JSON.stringify(request?.messages)
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/Ax+ \[…\] x+Z/)
    expect(() => judging([], { maxInputChars: 10 })).toThrow('maxInputChars: is 10')
  })

  it('is shown what fits the window of its model', async () => {
    const model = scriptedModel(['1'], { info: { contextWindow: 400 } })
    await choose(['long '.repeat(2_000), 'b'], judge({ model }))
    expect(JSON.stringify(model.requests[0]?.messages).length).toBeLessThan(900)
  })

  it('works for a call, too, on the same limits', async () => {
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
