import { defineTool, type ToolCall, type ToolOutcome } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { toolDeadline } from './tool-deadline.ts'

/** A call with a deadline of 50 ms. */
function begin() {
  const clock = fakeClock()
  const work = Promise.withResolvers<ToolOutcome>()
  const tool = defineTool({ name: 'slow', description: 'Works.', input: { type: 'object' }, execute: () => 'x' })
  const call: ToolCall = { turn: 1, callId: 'c', tool, input: {}, signal: new AbortController().signal }
  return { clock, work, outcome: toolDeadline(clock, () => 50)(call, () => work.promise) }
}

it('a call that fails after its deadline has the error tool-timeout', async () => {
  const { clock, work, outcome } = begin()
  await clock.advance(50)
  work.reject(new Error('stopped'))
  expect(await outcome).toMatchObject({ type: 'error', error: { code: 'tool-timeout', ms: 50 } })
})

it('a call that fails before its deadline keeps its error and leaves no timer', async () => {
  const { clock, work, outcome } = begin()
  work.reject(new Error('broken'))
  await expect(outcome).rejects.toThrow('broken')
  expect(clock.pending).toBe(0)
})
