import { ZERO_USAGE } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  calibrateJudge,
  calledTool,
  calledTools,
  contains,
  defineEval,
  defineScorer,
  exact,
  judge,
  matches,
  matchesSchema,
  numeric,
  pairwise,
  runEval,
  similarity,
  withinCost,
  withinTime,
  type Sample,
  type Scorer,
} from '../../index.ts'
import { measureAgreement } from '../judge/cohens-kappa.ts'

const { signal } = new AbortController()
const context = {
  signal,
  delegate: () => {
    throw new Error('no agent here')
  },
}

function sampleOf(output: unknown, expected?: unknown, fields: Partial<Sample> = {}): Sample {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  const run = {
    runIds: ['r'],
    messages: [],
    calls: [],
    usage: ZERO_USAGE,
    cost: { usd: 0.5 },
    turns: 1,
    durationMs: 100,
  }
  return { id: 'a', input: 'q', output, text, expected, metadata: undefined, trial: 1, run, ...fields }
}

async function scoreOf(scorer: Scorer, sample: Sample): Promise<number> {
  const value = await scorer.score(sample, context)
  return Number(typeof value === 'object' ? value.score : value)
}

describe('the scorers', () => {
  it.each<[string, Scorer, unknown, unknown, number]>([
    ['the scorer exact, the same text', exact(), ' rain\n', 'rain', 1],
    ['the scorer exact, another text', exact(), 'Rain', 'rain', 0],
    ['the scorer exact, the same object', exact(), { b: [1], a: 2 }, { a: 2, b: [1] }, 1],
    ['the scorer exact, a further field', exact(), { a: 2, b: 1 }, { a: 2 }, 0],
    ['the scorer exact, another type', exact(), 2, '2', 1],
    ['the scorer contains, expected', contains(), 'It will RAIN.', 'rain', 1],
    ['the scorer contains, a list', contains(), 'rain', ['rain', 'wind'], 0.5],
    ['the scorer contains, own texts', contains({ texts: ['a', 'b', 'c'] }), 'a b', undefined, 2 / 3],
    ['the scorer contains, upper case', contains({ caseSensitive: true }), 'RAIN', 'rain', 0],
    ['the scorer matches', matches(/^\d+ degrees$/), '12 degrees', undefined, 1],
    ['the scorer matches, with the flag g', matches(/a/g), 'a', undefined, 1],
    ['the scorer matches, not', matches(/^a$/), 'b', undefined, 0],
    ['the scorer of a schema of zod', matchesSchema(z.object({ a: z.number() })), { a: 1 }, undefined, 1],
    ['the scorer of a schema of zod, not', matchesSchema(z.object({ a: z.number() })), { a: '1' }, undefined, 0],
    [
      'the scorer of a JSON Schema and JSON text',
      matchesSchema({ type: 'object', required: ['a'] }),
      '{"a":1}',
      undefined,
      1,
    ],
    ['the scorer of a JSON Schema, not', matchesSchema({ type: 'object', required: ['a'] }), 'a', undefined, 0],
    ['the scorer numeric', numeric({ tolerance: 0.5 }), 10.5, 10, 1],
    ['the scorer numeric, too far', numeric({ tolerance: 0.5 }), '10.6', '10', 0],
    ['the scorer numeric, a share', numeric({ relative: 0.1 }), 110, 100, 1],
    ['the scorer numeric, a share of a negative number', numeric({ relative: 0.1 }), -111, -100, 0],
    ['the scorer numeric, a text', numeric(), 'ten', 10, 0],
    ['the scorer numeric, an empty text', numeric({ tolerance: 20 }), '', 10, 0],
    ['the scorer withinCost', withinCost(0.5), '', undefined, 1],
    ['the scorer withinCost, too much', withinCost(0.49), '', undefined, 0],
    ['the scorer withinTime', withinTime(100), '', undefined, 1],
    ['the scorer withinTime, too long', withinTime(99), '', undefined, 0],
  ])('%s', async (...[, scorer, output, expected, score]) => {
    expect(await scoreOf(scorer, sampleOf(output, expected))).toBeCloseTo(score, 10)
  })

  it('the scorers compare tool calls', async () => {
    const calls = [
      { name: 'look', input: { city: 'Bern', days: 2 }, result: 'rain', isError: false },
      { name: 'pack', input: {}, result: 'ok', isError: false },
    ]
    const sample = sampleOf('x', undefined, { run: { ...sampleOf('x').run, calls } })
    expect(await scoreOf(calledTool('look', { city: 'Bern' }), sample)).toBe(1)
    expect(await scoreOf(calledTool('look', { city: 'Basel' }), sample)).toBe(0)
    expect(await scoreOf(calledTools(['pack']), sample)).toBe(1)
    expect(await scoreOf(calledTools(['pack'], { match: 'exact' }), sample)).toBe(0)
    expect(calledTools(['pack'], { match: 'exact' }).score(sample, context)).toEqual({
      score: false,
      reason: 'called look({"city":"Bern","days":2}), pack({}); wanted (exact): pack',
    })
  })

  it('the scorers measure similarity with the vectors of the user', async () => {
    const embed = (texts: readonly string[]) => texts.map(text => text.split(',').map(Number))
    expect(await scoreOf(similarity({ embed }), sampleOf('1,0', '2,0'))).toBeCloseTo(1, 10)
    expect(await scoreOf(similarity({ embed }), sampleOf('1,1', '1,0'))).toBeCloseTo(Math.SQRT1_2, 10)
    expect(await scoreOf(similarity({ embed }), sampleOf('1,0', '-1,0'))).toBe(0)
    await expect(scoreOf(similarity({ embed }), sampleOf('1,0', '1'))).rejects.toThrow('vectors of 2 and 1 numbers')
    await expect(scoreOf(similarity({ embed }), sampleOf('0,0', '1,0'))).rejects.toThrow('without a direction')
    const finite = fc.double({ min: -10, max: 10, noNaN: true }).filter(value => Math.abs(value) > 0.01)
    await fc.assert(
      fc.asyncProperty(fc.array(finite, { minLength: 3, maxLength: 3 }), async vector => {
        const text = vector.join(',')
        expect(await scoreOf(similarity({ embed }), sampleOf(text, text))).toBeCloseTo(1, 8)
      }),
    )
  })

  it('the scorers report a case without an expected output, and a price that is unknown, as an error', async () => {
    for (const scorer of [exact(), contains(), numeric(), similarity({ embed: () => [] })])
      await expect(async () => scoreOf(scorer, sampleOf('x'))).rejects.toThrow('has no `expected`')
    const run = { ...sampleOf('x').run, cost: undefined }
    await expect(async () => scoreOf(withinCost(1), sampleOf('x', 1, { run }))).rejects.toThrow('price of the model')
    expect(await scoreOf(withinCost(1), sampleOf('x', 1, { run: { ...run, runIds: [] } }))).toBe(1)
  })

  it('the scorers refuse invalid options by their names', () => {
    expect(() => exact({ threshold: 2 })).toThrow('scorers.exact.threshold: is 2; must be a number from 0 to 1')
    expect(() => numeric({ tolerance: -1 })).toThrow('numeric.tolerance')
    expect(() => judge({ model: 'a/b', rubric: 'x', scale: 0 })).toThrow('judge.scale')
    expect(() => matches('rain' as never)).toThrow('matches.pattern')
  })
})

/** A judge that prefers the answer in one of the places, or the better one. */
function comparing(prefer: 'first' | 'umbrella' | 'tie') {
  return scriptedModel(({ messages }) => {
    const text = JSON.stringify(messages)
    const isFirst = text.indexOf('umbrella') < text.indexOf('answer-b')
    const winner = prefer === 'tie' ? 'tie' : prefer === 'first' || isFirst ? 'A' : 'B'
    return JSON.stringify({ reason: 'Because.', winner })
  })
}

describe('a judge', () => {
  const data = [{ id: 'a', input: 'Rain?', expected: 'Maybe.' }]
  const scored = async (scorer: Scorer, output = 'Take an umbrella.') => {
    const result = await runEval(defineEval({ name: 'judged', data, task: () => output, scorers: [scorer] }))
    return result.cases[0]?.trials[0]?.scores[0]
  }

  it('a judge grades by its rubric, with a reason', async () => {
    const model = scriptedModel(['{"reason":"Fine.","grade":3}'])
    expect(await scored(judge({ model, rubric: 'Names the weather.', scale: 4 }))).toEqual({
      name: 'judge',
      score: 0.75,
      reason: 'Fine.',
    })
    const asked = JSON.stringify(model.requests[0])
    for (const words of ['Names the weather.', 'Rain?', 'Maybe.', 'Take an umbrella.']) expect(asked).toContain(words)
  })

  it('a judge that gives no verdict is an error of the score', async () => {
    const error = { code: 'model-auth', provider: 'scripted', detail: 'No key.' } as const
    expect(await scored(judge({ model: scriptedModel([{ error }]), rubric: 'x' }))).toMatchObject({
      error: expect.stringContaining('the judge gave no verdict: '),
    })
  })

  it('a judge costs are part of the cost of the eval', async () => {
    const pricing = { input: 1000, output: 1000, source: 'test', date: '2026-01-01' }
    const model = scriptedModel(() => '{"reason":"Fine.","grade":1}', { info: { pricing } })
    const each = defineEval({ name: 'judged', data, task: () => 'x', scorers: [judge({ model, rubric: 'x' })] })
    expect((await runEval(each)).costUsd).toBeCloseTo(0.015, 10)
  })

  it('a judge compares in both orders: a winner that changes with the order is a tie', async () => {
    const compare = (prefer: 'first' | 'umbrella' | 'tie') => pairwise({ model: comparing(prefer), rubric: 'x' })
    expect(await scored(compare('umbrella'))).toMatchObject({ score: 1 })
    expect(await scored(compare('first'))).toMatchObject({
      score: 0.5,
      reason: expect.stringContaining('changes with the order'),
    })
    expect(await scored(compare('tie'))).toMatchObject({ score: 0.5 })
    expect(await scored(compare('first'), 'Maybe.')).toMatchObject({ score: 0.5, reason: 'both answers are the same' })
    const against = pairwise({ model: comparing('umbrella'), rubric: 'x', against: () => 'An umbrella.' })
    expect(await scored(against, 'No.')).toMatchObject({ score: 0 })
  })

  it('a judge is calibrated against people', async () => {
    const model = scriptedModel(({ messages }) => {
      const text = JSON.stringify(messages)
      return JSON.stringify({ reason: 'By length.', grade: text.includes('long') ? 1 : 0 })
    })
    const answers = [
      { id: '1', input: 'q', output: 'long', label: true },
      { id: '2', input: 'q', output: 'long too', label: false },
      { id: '3', input: 'q', output: 'short', label: false },
      { id: '4', input: 'q', output: 'brief', label: false },
    ]
    expect(await calibrateJudge(judge({ model, rubric: 'x' }), answers)).toEqual({
      answers: 4,
      agreement: 0.75,
      kappa: 0.5,
      disagreements: [{ id: '2', label: false, score: 1, reason: 'By length.' }],
      unscored: [],
    })
    const broken = defineScorer({ name: 'broken', score: ({ id }) => (id === '1' ? 1 : 7) })
    expect(await calibrateJudge(broken, answers)).toMatchObject({
      answers: 1,
      kappa: undefined,
      unscored: ['2', '3', '4'],
    })
  })

  it("a judge agrees with Cohen's kappa of a textbook", () => {
    // 50 applications: both yes 20, both no 15, one of them 5 and 10. Agreement 0.7, by chance 0.5.
    const table = [
      ...Array.from({ length: 20 }, () => [true, true] as const),
      ...Array.from({ length: 5 }, () => [true, false] as const),
      ...Array.from({ length: 10 }, () => [false, true] as const),
      ...Array.from({ length: 15 }, () => [false, false] as const),
    ]
    const { agreement, kappa } = measureAgreement(table)
    expect(agreement).toBeCloseTo(0.7, 10)
    expect(kappa).toBeCloseTo(0.4, 10)
  })
})
