import { userMessage, type ApprovalDecision, type Entry, type Principal } from '@parley/core'
import { expect, it } from 'vitest'
import { evolve } from '../../journal/evolve.ts'
import { initialState, type RunState } from '../../journal/run-state.ts'
import { checkDecision } from './check-decision.ts'
import type { EntryBody } from '../run-journal.ts'

const call = { type: 'tool-call' as const, callId: 'c', name: 'pay', arguments: '{}' }
const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
const request = { approvalId: 'q', callId: 'c', name: 'pay', input: {}, prompt: '?', roles: ['boss'] }
const SUSPENDED: readonly EntryBody[] = [
  { type: 'run.started', ...identity },
  { type: 'message.appended', source: 'input', message: userMessage('go') },
  { type: 'message.appended', source: 'model', message: { role: 'assistant', content: [call] } },
  { type: 'approval.requested', turn: 1, request },
]
const BOSS: Principal = { id: 'ann', roles: ['clerk', 'boss'] }
const approved: ApprovalDecision = { type: 'approved' }

function stateAfter(...further: EntryBody[]): RunState {
  return [...SUSPENDED, ...further].reduce(
    (state, body, index) => evolve(state, { ...body, v: 1, seq: index + 1, at: index } as Entry),
    initialState(),
  )
}

/** The code of the error for a decision. */
function codeOf(state: RunState, { by, approvalId = 'q' }: { by?: Principal; approvalId?: string }) {
  try {
    checkDecision(state, { runId: 'r', approvalId, decision: approved, by })
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

it('a decision requires an approver with one of the roles of the request', () => {
  expect(codeOf(stateAfter(), { by: BOSS })).toBeUndefined()
  expect(codeOf(stateAfter(), { by: { id: 'bob', roles: ['clerk'] } })).toBe('approval-forbidden')
  expect(codeOf(stateAfter(), {})).toBe('approval-forbidden')
})

it('a decision is refused if the request is unknown or decided', () => {
  expect(codeOf(stateAfter(), { by: BOSS, approvalId: 'x' })).toBe('approval-unknown')
  const decided: EntryBody = { type: 'approval.decided', approvalId: 'q', decision: approved }
  expect(codeOf(stateAfter(decided), { by: BOSS })).toBe('approval-decided')
})

it('a decision is refused with run-ended while the run is being stopped', () => {
  const cancel: EntryBody = { type: 'cancel.requested', reason: { kind: 'user' } }
  const limit: EntryBody = { type: 'limit.reached', hit: { limit: 'turns', max: 1, value: 1 } }
  expect(codeOf(stateAfter(cancel), { by: BOSS })).toBe('run-ended')
  expect(codeOf(stateAfter(limit), { by: BOSS })).toBe('run-ended')
})
