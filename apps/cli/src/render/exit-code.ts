import type { ErrorInfo } from '@parley/core'
import type { RunResult } from '@parley/engine'

/**
 * Returns the exit code of a run. 0: it completed. 1: it did not succeed. 2: the command line or the setup is invalid. 3: it is
 * suspended for approval. 130: the user cancelled it.
 */
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

/** Whether the command line or the setup caused the error, and not the agent's work. */
function isSetupFault({ code }: ErrorInfo): boolean {
  return SETUP_FAULTS.has(code) || code.startsWith('store-')
}
