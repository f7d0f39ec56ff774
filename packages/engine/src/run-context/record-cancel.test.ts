import { expect, it } from 'vitest'
import { initialState, type RunState } from '../journal/run-state.ts'
import { recordCancel } from './record-cancel.ts'
import type { RunContext } from './run-context.ts'
import type { EntryBody } from './run-journal.ts'
import { Stopper } from './stopper.ts'

function setup(state: Partial<RunState> = {}, released = false) {
  const recorded: EntryBody[] = []
  const stopper = new Stopper()
  const journal = { record: (body: EntryBody) => void recorded.push(body) }
  const run = { state: { ...initialState(), ...state }, journal, stopper, due: { released } }
  return { recorded, stopper, cancel: () => recordCancel(run as unknown as RunContext, { kind: 'user' }) }
}

it('a cancel is recorded and stops the run', () => {
  const { recorded, stopper, cancel } = setup()
  cancel()
  expect(recorded).toEqual([{ type: 'cancel.requested', reason: { kind: 'user' } }])
  expect(stopper.signal.reason).toMatchObject({ code: 'cancelled', info: { kind: 'user' } })
})

it('a cancel of a released run is recorded for the process that resumes it', () => {
  const { recorded, stopper, cancel } = setup({}, true)
  stopper.stop('released')
  cancel()
  expect(recorded).toHaveLength(1)
})

it.each([
  ['has ended', { outcome: { status: 'completed', finish: 'stop' } as const }, false],
  ['is already cancelled', { cancel: { kind: 'user' } as const }, false],
  ['is stopped for another reason', {}, true],
])('a cancel of a run that %s is not recorded', (_, state, isStopped) => {
  const { recorded, stopper, cancel } = setup(state)
  if (isStopped) stopper.stop('limit')
  cancel()
  expect(recorded).toEqual([])
})
