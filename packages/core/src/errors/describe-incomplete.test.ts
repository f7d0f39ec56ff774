import { expect, it } from 'vitest'
import { describeIncomplete } from './describe-incomplete.ts'

it.each([
  [{ status: 'limit', hit: { limit: 'turns', max: 2, value: 2 } }, 'The run reached its limit of 2 turns (2).'],
  [{ status: 'cancelled', reason: { kind: 'user', detail: 'enough' } }, 'enough'],
  [{ status: 'rejected', filter: 'pii', reason: 'has a card number' }, 'has a card number'],
  [{ status: 'failed', error: { code: 'internal', detail: 'It broke.' } }, 'It broke.'],
] as const)('describeIncomplete says why a run ended as %j', (outcome, text) => {
  expect(describeIncomplete(outcome)).toContain(text)
})
