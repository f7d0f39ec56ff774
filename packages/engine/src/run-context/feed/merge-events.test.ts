import { GrowingText, type RunEvent } from '@parley/core'
import { expect, it } from 'vitest'
import { mergeEvents } from './merge-events.ts'

const facts = { runId: 'r', sessionId: 's', path: [], seq: 1, at: 0 }
const text = (piece: string, at = 0): RunEvent => ({ ...facts, type: 'text.delta', turn: 1, text: piece, at })
const progress = (callId: string, update: number): RunEvent => ({
  ...facts,
  type: 'tool.progress',
  turn: 1,
  callId,
  name: 'slow',
  update,
})

const merge = (last: RunEvent, next: RunEvent, answer?: GrowingText) => mergeEvents(last, next, () => answer)

it('merged deltas keep their text and the time of the newest, and leave the merged events as they were', () => {
  const first = text('a')
  const merged = [text('b', 1), text('c', 2)].reduce((last, next) => merge(last, next) ?? next, first)
  expect({ ...merged }).toEqual(text('abc', 2))
  expect(JSON.parse(JSON.stringify(merged))).toEqual(text('abc', 2))
  expect(first).toEqual(text('a'))
})

it('all merged deltas share one getter', () => {
  const getterOf = (event: RunEvent | undefined) => Object.getOwnPropertyDescriptor(event, 'text')?.get
  const [one, other] = [merge(text('a'), text('b')), merge(text('c'), text('d'))]
  expect(getterOf(one)).toBeDefined()
  expect(getterOf(other)).toBe(getterOf(one))
})

it('a merged delta stops growing at 24 KiB', () => {
  const merged = merge(text('a'), text('b'.repeat(25_000)))
  expect(merged).toMatchObject({ text: `a${'b'.repeat(25_000)}` })
  expect(merge(merged as RunEvent, text('c'))).toBeUndefined()
})

it('a slow reader gets the newest progress of each call', () => {
  expect(merge(progress('x', 1), progress('x', 2))).toEqual(progress('x', 2))
  expect(merge(progress('x', 1), progress('y', 2))).toBeUndefined()
  expect(merge(progress('x', 1), text('a'))).toBeUndefined()
})

it('the arguments of two calls are not merged, and those of one call are', () => {
  const args = (callId: string, delta: string): RunEvent => ({
    ...facts,
    type: 'tool-call.delta',
    turn: 1,
    callId,
    delta,
  })
  expect(merge(args('x', '{"a"'), args('y', ':1}'))).toBeUndefined()
  expect(merge(args('x', '{"a"'), args('x', ':1}'))).toMatchObject({ callId: 'x', delta: '{"a":1}' })
})

it('merged deltas refer to the text of the answer instead of a copy', () => {
  const answer = new GrowingText()
  answer.add('before ')
  const pieces = Array.from({ length: 1_500 }, (_, index) => text(`piece ${index}, `, index))
  let last: RunEvent | undefined
  for (const piece of pieces) {
    if (piece.type !== 'text.delta') continue
    answer.add(piece.text)
    last = last === undefined ? piece : merge(last, piece, answer)
  }
  const joined = pieces.map(piece => (piece.type === 'text.delta' ? piece.text : '')).join('')
  expect({ ...last }).toEqual(text(joined, 1_499))
  expect(answer.value).toBe(`before ${joined}`)
  expect({ ...last }).toEqual(text(joined, 1_499))
  // Other characters show that the event has no copy of its own.
  const other = new GrowingText()
  other.add(`before ${'ONE, '.repeat(300)}TWO`)
  expect(merge(text('one, '.repeat(300)), text('two'), other)).toMatchObject({ text: `${'ONE, '.repeat(300)}TWO` })
})

it('deltas of two texts of an answer keep their text', () => {
  const [first, second] = [new GrowingText(), new GrowingText()]
  const long = 'a'.repeat(2_000)
  first.add(`${long}b`)
  second.add('c')
  const merged = merge(text(long), text('b'), first) as RunEvent
  expect(merge(merged, text('c'), second)).toBeUndefined()
  const across = merge(text(`${long}b`), text('c'), second)
  expect(across).toMatchObject({ text: `${long}bc` })
})
