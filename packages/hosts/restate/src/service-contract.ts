/** What the services are called in Restate; a client finds them by these. */
export const RUN_SERVICE = 'parley-run'
export const SESSION_SERVICE = 'parley-session'

/** The virtual object of a session. Its scope is part of what it is. */
export function sessionKey(scope: string, sessionId: string): string {
  return `${encodeURIComponent(scope)}/${encodeURIComponent(sessionId)}`
}

/** The promises of a run's workflow, which its shared handlers resolve. */
export const promiseNames = {
  /** Resolved when the run's turn has come. */
  begun: 'begun',
  cancel: 'cancel',
  ended: 'ended',
  decision: (approvalId: string): string => `decision ${approvalId}`,
  input: (index: number): string => `input ${index}`,
  /** Resolved when the input is in the journal, or refused. */
  heard: (index: number): string => `heard ${index}`,
} as const
