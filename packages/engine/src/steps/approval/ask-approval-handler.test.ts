import type { ApprovalHandler } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { initialState } from '../../journal/run-state.ts'
import { RunApprovals } from '../../run-context/run-approvals.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { Stopper } from '../../run-context/stopper.ts'
import { askApprovalHandler } from './ask-approval-handler.ts'

const request = { approvalId: 'q', callId: 'c', name: 'pay', input: {}, prompt: '?' }

/** A run with this handler whose journal commits when `commit` resolves. */
function runWith(onApproval: ApprovalHandler, commit: () => Promise<void> = async () => {}) {
  const clock = fakeClock()
  const stopper = new Stopper()
  const agent = { definition: { onApproval } } as RunContext['agent']
  const run = {
    clock,
    stopper,
    facts: {},
    runtime: { clock },
    state: initialState(),
    journal: { commit },
    approvals: new RunApprovals({ agent }, undefined, true),
  } as unknown as RunContext
  return { run, stopper }
}

it('the handler is asked only after the request is durable', async () => {
  const events: string[] = []
  const durable = Promise.withResolvers<void>()
  const handler: ApprovalHandler = async () => {
    events.push('asked')
    return { type: 'approved' }
  }
  const { run } = runWith(handler, () => durable.promise.then(() => void events.push('durable')))
  const asking = askApprovalHandler(run, [request])
  for (let tick = 0; tick < 10; tick++) await Promise.resolve()
  expect(events).toEqual([])
  durable.resolve()
  await asking
  expect(events).toEqual(['durable', 'asked'])
})

it('a stop after the handler has answered does not abort its signal', async () => {
  let signal: AbortSignal | undefined
  const { run, stopper } = runWith(async (_, context) => {
    signal = context.signal
    return { type: 'approved' }
  })
  await askApprovalHandler(run, [request])
  stopper.stop(new Error('too late'))
  expect(signal?.aborted).toBe(false)
})
