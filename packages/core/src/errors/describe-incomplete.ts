import type { Outcome } from '../schema/outcome.ts'
import { describeError } from './describe-error.ts'

/** Says in a sentence why a run did not complete. */
export function describeIncomplete(outcome: Exclude<Outcome, { status: 'completed' }>): string {
  switch (outcome.status) {
    case 'limit':
      return describeError({ code: 'limit-reached', ...outcome.hit })
    case 'cancelled':
      return describeError({ code: 'cancelled', ...outcome.reason })
    case 'rejected':
      return describeError({ code: 'input-rejected', filter: outcome.filter, reason: outcome.reason })
    case 'failed':
      return describeError(outcome.error)
  }
}
