import { describeError, type IncompleteDelegate } from '@parley/core'

/** Says why a run did not complete. */
export function describeIncomplete(result: IncompleteDelegate): string {
  switch (result.status) {
    case 'limit':
      return describeError({ code: 'limit-reached', ...result.hit })
    case 'cancelled':
      return describeError({ code: 'cancelled', ...result.reason })
    case 'rejected':
      return describeError({ code: 'input-rejected', filter: result.filter, reason: result.reason })
    case 'failed':
      return describeError(result.error)
  }
}
