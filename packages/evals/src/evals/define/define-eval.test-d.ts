import type { Json } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { agentTask, defineEval, defineScorer, exact, readCsv, readJsonl, type Scorer } from '../../index.ts'

const data = [{ id: 'a', input: 'x', expected: 3 }]

it('the input of the task, and the input and the expected output of scorers, come from the data', () => {
  defineEval({
    name: 'a',
    data,
    task: ({ input }) => {
      expectTypeOf(input).toEqualTypeOf<string>()
      return { count: input.length }
    },
    scorers: [
      exact(),
      {
        name: 'own',
        threshold: 1,
        score: ({ input, output, expected }) => {
          expectTypeOf(input).toEqualTypeOf<string>()
          expectTypeOf(output).toEqualTypeOf<{ count: number }>()
          expectTypeOf(expected).toEqualTypeOf<number | undefined>()
          return output.count === expected
        },
      },
    ],
  })
})

it('a scorer of another output or another expected output does not compile', () => {
  const ofText: Scorer<unknown, string> = defineScorer<unknown, string>({
    name: 't',
    score: ({ output }) => output === '',
  })
  const ofDates: Scorer<unknown, unknown, Date> = { name: 'd', threshold: 1, score: () => 1 }
  // @ts-expect-error -- the output is a number
  defineEval({ name: 'a', data, task: () => 3, scorers: [ofText] })
  // @ts-expect-error -- the expected output is a number
  defineEval({ name: 'a', data, task: () => 3, scorers: [ofDates] })
  defineEval({ name: 'a', data, task: () => 'x', scorers: [ofText] })
})

it('the output of an agent with a schema has the type of the schema', () => {
  const model = scriptedModel([])
  const typed = defineAgent({ name: 'a', model, output: z.object({ rain: z.boolean() }) })
  const task = agentTask(typed)
  defineEval({
    name: 'a',
    data,
    task,
    scorers: [{ name: 'o', threshold: 1, score: ({ output }) => output.rain }],
  })
  const plain = agentTask(defineAgent({ name: 'b', model }))
  expectTypeOf<Awaited<ReturnType<typeof plain>>>().toEqualTypeOf<Json>()
})

it('an agent takes only text, unless a message is made of the input', () => {
  const agent = defineAgent({ name: 'a', model: scriptedModel([]) })
  const objects = [{ id: 'a', input: { city: 'Bern' } }]
  // @ts-expect-error -- the input is an object
  defineEval({ name: 'a', data: objects, task: agentTask(agent), scorers: [exact()] })
  const task = agentTask(agent, { toMessage: ({ city }: { city: string }) => city })
  defineEval({ name: 'a', data: objects, task, scorers: [exact()] })
})

it('files have the types of `toCase`', () => {
  const cases = readJsonl('a.jsonl', { toCase: ({ q }) => ({ id: String(q), input: String(q), expected: 1 }) })
  expectTypeOf<Awaited<ReturnType<typeof cases>>[number]['expected']>().toEqualTypeOf<number | undefined>()
  const rows = readCsv('a.csv')
  expectTypeOf<Awaited<ReturnType<typeof rows>>[number]['input']>().toEqualTypeOf<string>()
})
