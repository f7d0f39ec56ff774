import { defineTool, type ApprovalDecision, type Json, type Permission, type Principal } from '@parley/core'
import { expect, it } from 'vitest'
import type { CallState } from '../../journal/run-state.ts'
import { checkPermission } from './check-permission.ts'

const tool = defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, execute: () => 'paid' })

/** The obstacle of a call with this input. Its approver saw an amount of 5. */
function check(input: Json, given: { permission?: Permission; decision?: ApprovalDecision; principal?: Principal }) {
  const { permission = 'ask', decision, principal } = given
  const request = { approvalId: 'q', callId: 'c', name: 'pay', input: { amount: 5 }, prompt: '?' }
  const state: CallState = {
    call: { type: 'tool-call', callId: 'c', name: 'pay', arguments: '{}' },
    attempts: 0,
    effect: undefined,
    approval: decision === undefined ? undefined : { request, decision },
    result: undefined,
  }
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [], principal }
  return checkPermission({ tool, permission, given: input, validated: input, state, run })?.type
}

it('an approval lets only the input run that the approver saw', () => {
  const decision = { type: 'approved' } as const
  expect(check({ amount: 5 }, { decision })).toBeUndefined()
  expect(check({ amount: 500 }, { decision })).toBe('ask')
})

it('a modified approval lets only the input run that the approver wrote', () => {
  const decision = { type: 'modified', input: { amount: 1 } } as const
  expect(check({ amount: 1 }, { decision })).toBeUndefined()
  expect(check({ amount: 500 }, { decision })).toBe('ask')
  expect(check({ amount: 5 }, { decision })).toBe('ask')
})

it('a decision that does not approve the call does not let it run', () => {
  expect(check({ amount: 5 }, {})).toBe('ask')
  expect(check({ amount: 5 }, { decision: { type: 'rejected', reason: 'no' } })).toBe('ask')
  expect(check({ amount: 5 }, { decision: { type: 'timed-out' } })).toBe('ask')
})

it('a permission for roles lets only principals with one of the roles run the call', () => {
  const permission = { effect: 'allow', roles: ['admin', 'clerk'] } as const
  expect(check({}, { permission, principal: { id: 'ann', roles: ['clerk'] } })).toBeUndefined()
  expect(check({}, { permission, principal: { id: 'bob', roles: ['guest'] } })).toBe('error')
  expect(check({}, { permission })).toBe('error')
})
