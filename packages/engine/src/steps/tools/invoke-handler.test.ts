import { defineTool } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import type { RunContext } from '../../run-context/run-context.ts'
import { Stopper } from '../../run-context/stopper.ts'
import type { CallNotes } from './call-notes.ts'
import { invokeHandler } from './invoke-handler.ts'

const notes: CallNotes = {
  durationMs: 0,
  input: undefined,
  repaired: false,
  delegation: undefined,
  edit: undefined,
  mayLeave: false,
  over: false,
}

/** A call of a handler that returns a promise, in a run with a stopper and a clock. */
function invoke(timeoutMs?: number) {
  const clock = fakeClock()
  const stopper = new Stopper()
  const work = Promise.withResolvers<string>()
  const execute = (): Promise<string> => work.promise
  const tool = defineTool({ name: 'work', description: 'Works.', input: { type: 'object' }, timeoutMs, execute })
  const call = { turn: 1, callId: 'c', tool, input: {}, signal: stopper.signal }
  const run = { clock, stopper, agent: { definition: {} }, facts: { runId: 'r' } } as unknown as RunContext
  const handled = invokeHandler(run, { tool, call, input: {}, approved: false, notes })
  return { clock, stopper, handled, settle: () => work.resolve('worked') }
}

it('a stop after the handler has settled does nothing: the call has removed its listener', async () => {
  const { clock, stopper, handled, settle } = invoke()
  settle()
  expect(await handled).toEqual({ type: 'returned', value: 'worked' })
  stopper.stop(new Error('too late'))
  expect(clock.pending).toBe(0)
})

it('a handler that settles in time leaves no timer', async () => {
  const { clock, handled, settle } = invoke(500)
  expect(clock.pending).toBe(1)
  settle()
  await handled
  expect(clock.pending).toBe(0)
})

it('a stopped handler that does not settle is given up after a while', async () => {
  const { clock, stopper, handled } = invoke()
  stopper.stop(new Error('stop'))
  await clock.advance(1_000)
  expect(await handled).toMatchObject({ type: 'refused', error: { code: 'tool-cancelled', started: true } })
})
