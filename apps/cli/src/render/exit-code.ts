import type { ErrorInfo } from '@parley/core'
import type { RunResult } from '@parley/engine'

/** What the shell is told: 0 done, 1 the run did not succeed, 2 it could not be run as asked, 3 it waits for an approval,
 * 130 stopped by the user. */
export function exitCodeOf(result: RunResult): number {
  switch (result.status) {
    case 'completed':
      return 0
    case 'cancelled':
      return 130
    case 'suspended':
      return 3
    case 'limit':
    case 'rejected':
      return 1
    case 'failed':
    case 'interrupted':
      return isSetupFault(result.error) ? 2 : 1
  }
}

const SETUP_FAULTS = new Set<ErrorInfo['code']>([
  'config-invalid',
  'mcp-server-failed',
  'model-auth',
  'model-network',
  'model-not-found',
  'model-permission',
  'model-unknown',
  'session-busy',
  'tool-schema-invalid',
])

/** Whether the cause lies in how the command was called or set up, rather than in what the agent did. */
function isSetupFault({ code }: ErrorInfo): boolean {
  return SETUP_FAULTS.has(code) || code.startsWith('store-')
}
