import type { ContextPolicy, ContextView } from '@parley/core'
import { expect, it } from 'vitest'
import { RunDue } from './run-due.ts'

/** A run whose context policy answers `answers()`. */
function setup(answers: () => boolean) {
  let asked = 0
  const policy = { due: () => (asked++, answers()) } as unknown as ContextPolicy
  const state = { seq: 1 }
  const view = { policy } as ContextView & { readonly policy: ContextPolicy }
  const due = new RunDue({ state, prompt: { view }, middleware: { hooksTurns: false } })
  return { due, state, asked: () => asked }
}

it('a context policy is asked once for each state, however often the run decides', () => {
  const { due, state, asked } = setup(() => true)
  expect([due.compaction(1, 'due'), due.compaction(1, 'due'), asked()]).toEqual([true, true, 1])
  state.seq = 2
  expect([due.compaction(1, 'due'), asked()]).toEqual([true, 2])
})

it('a compaction is tried once in a turn for each trigger', () => {
  const { due, state } = setup(() => true)
  due.tryCompaction(1, 'due')
  state.seq = 2
  expect([due.compaction(1, 'due'), due.compaction(1, 'overflow')]).toEqual([false, true])
  due.tryCompaction(1, 'overflow')
  expect([due.compaction(1, 'due'), due.compaction(1, 'overflow')]).toEqual([false, false])
  expect([due.compaction(2, 'due'), due.compaction(2, 'overflow')]).toEqual([true, true])
})

it('an error of the context policy counts as due, and the attempt returns it once', () => {
  const error = new Error('cannot count')
  const { due } = setup(() => {
    throw error
  })
  expect(due.compaction(1, 'due')).toBe(true)
  expect(due.tryCompaction(1, 'due')).toBe(error)
  expect(due.tryCompaction(1, 'overflow')).toBeUndefined()
})
