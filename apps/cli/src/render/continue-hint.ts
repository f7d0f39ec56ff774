import type { Pending } from '@parley/engine'

/**
 * Says which command gives a suspended run what it waits for. Empty if the run waits for nothing of a user.
 * @param call Returns the command line for a command and this run.
 */
export function continueHint({ approvals, clientCalls }: Pending, call: (command: string) => string): string {
  if (approvals.length > 0) return `decide: ${call('approve')} [--reject REASON]`
  return clientCalls.length > 0 ? `submit: ${call('submit')} RESULT` : ''
}
