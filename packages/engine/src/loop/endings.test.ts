import { userMessage, type Entry } from '@parley/core'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { evolve } from '../journal/evolve.ts'
import { initialState } from '../journal/run-state.ts'
import { RunApprovals } from '../run-context/run-approvals.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { EntryBody } from '../run-context/run-journal.ts'
import { Stopper } from '../run-context/stopper.ts'
import { awaitAnswers } from './endings.ts'

const call = { type: 'tool-call' as const, callId: 'c', name: 'pay', arguments: '{}' }
const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
const request = { approvalId: 'q', callId: 'c', name: 'pay', input: {}, prompt: '?' }
const bodies: readonly EntryBody[] = [
  { type: 'run.started', ...identity },
  { type: 'message.appended', source: 'input', message: userMessage('go') },
  { type: 'message.appended', source: 'model', message: { role: 'assistant', content: [call] } },
  { type: 'approval.requested', turn: 1, request },
]

/** A run that waits for an approval and has no handler, and its terminal entries. */
function waitingRun(released: boolean) {
  const clock = fakeClock()
  const concluded: EntryBody[] = []
  const state = bodies.reduce(
    (before, body, index) => evolve(before, { ...body, v: 1, seq: index + 1, at: index } as Entry),
    initialState(),
  )
  const run = {
    clock,
    state,
    runtime: { clock },
    stopper: new Stopper(),
    policy: { limits: {}, onLimit: 'stop' },
    due: { released, hooksTurns: false, openTurn: undefined, compaction: () => false },
    approvals: new RunApprovals({ agent: { definition: {} } as RunContext['agent'] }, undefined, true),
    journal: { commit: async () => {}, conclude: async (body: EntryBody) => concluded.push(body) > 0 },
  } as unknown as RunContext
  return { run, concluded }
}

it('a run whose requests have no answer is suspended for approval', async () => {
  const { run, concluded } = waitingRun(false)
  const suspended = { status: 'suspended', approvals: [request] }
  expect(await awaitAnswers(run, { type: 'await-answers', requests: [request] })).toMatchObject(suspended)
  expect(concluded).toEqual([{ type: 'run.suspended', approvals: [request] }])
})

it('a run that is released while its approvers are asked is not suspended for approval, but left to its next step', async () => {
  const { run, concluded } = waitingRun(true)
  expect(await awaitAnswers(run, { type: 'await-answers', requests: [request] })).toBeUndefined()
  expect(concluded).toEqual([])
})
