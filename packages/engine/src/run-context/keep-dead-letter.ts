import { describeError, type ErrorInfo, type RunEvent, type RunFacts, type Store } from '@parley/core'

/** Name under which dead letters of runs are kept. No subscriber has this name, so a redrive leaves them. */
const SUBSCRIBER = 'runtime'

export interface DeadRun {
  readonly facts: Pick<RunFacts, 'runId' | 'agent' | 'scope'>
  /** The last event of the run. */
  readonly event: RunEvent
  readonly error: ErrorInfo
  /** How often the run was resumed without progress. */
  readonly attempts: number
}

/** Keeps a letter about a run that was ended because each attempt failed. If the store fails, the run's journal still tells it. */
export async function keepDeadLetter(
  store: Store | undefined,
  { facts, event, error, attempts }: DeadRun,
): Promise<void> {
  const { runId: id, agent, scope } = facts
  const letter = { id, subscriber: SUBSCRIBER, event, agent, scope, reason: 'failed' as const }
  const written = store?.deadLetters?.put({ ...letter, detail: describeError(error), attempts, failedAt: event.at })
  await written?.catch(() => {})
}
