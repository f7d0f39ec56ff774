import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitJudged } from './fit-judged.ts'

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, n) => `${word} ${n}`).join('\n')
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.string({ maxLength: 30 }), { maxLength: 200 }).map(each => each.join('\n')),
  fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }).map(each => each.join('\n\n')),
)

it('fitJudged returns texts that fit unchanged', () => {
  const judged = { task: lines(200, 'task'), answers: ['a', 'b'] }
  expect(fitJudged(judged, 10_000)).toBe(judged)
})

it('fitJudged reduces the task to its last 80 lines, and then the answers', () => {
  const judged = { task: lines(200, 'task'), answers: [lines(100, 'one'), 'b'] }
  const { length } = judged.task
  const some = fitJudged(judged, length)
  expect(some.task.split('\n')).toHaveLength(81)
  expect(some.task).toMatch(/^\[…\]\ntask 120\n[^]*task 199$/)
  expect(some.answers).toBe(judged.answers)
  const more = fitJudged(judged, some.task.length + 600)
  expect(more.task).toBe(some.task)
  expect(more.answers[0]).toMatch(/^\[…\]\none 20\n[^]*one 99$/)
})

it('fitJudged then reduces texts to their first and last paragraph', () => {
  const text = (word: string): string =>
    [`${word} begins`, 'x'.repeat(1_000), 'y'.repeat(1_000), `${word} ends`].join('\n\n')
  const judged = { task: text('task'), answers: [text('one'), 'b'] }
  const some = fitJudged(judged, 2_200)
  expect(some.task).toBe('task begins\n\n[…]\n\ntask ends')
  expect(some.answers).toEqual(judged.answers)
  expect(fitJudged(judged, 100).answers).toEqual(['one begins\n\n[…]\n\none ends', 'b'])
})

it('fitJudged then cuts the task before the answers, and long answers before short ones', () => {
  const judged = { task: 't'.repeat(900), answers: ['a'.repeat(300), 'b'.repeat(20)] }
  const some = fitJudged(judged, 800)
  expect(some.answers).toEqual(judged.answers)
  expect(some.task).toHaveLength(480)
  const more = fitJudged(judged, 300)
  expect(more.task).toHaveLength(100)
  expect(more.answers.map(({ length }) => length)).toEqual([180, 20])
})

it('fitJudged always fits the maximum and never splits a character', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(texts, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 100, max: 3_000 }),
      (task, answers, max) => {
        const fitted = fitJudged({ task, answers }, max)
        expect(fitted.answers).toHaveLength(answers.length)
        expect([fitted.task, ...fitted.answers].join('').length).toBeLessThanOrEqual(max)
        for (const [index, answer] of fitted.answers.entries()) {
          if (answers[index]?.isWellFormed()) expect(answer.isWellFormed()).toBe(true)
        }
      },
    ),
  )
})
