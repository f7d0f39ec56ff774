import type { RunEvent } from './run-event.ts'

/**
 * Carries what only a live watcher sees (`EphemeralEvent`: pieces of an answer, progress of a tool) from the process that
 * drives a run to whoever watches it in another. Lossy: an event comes once, late or never, and neither side waits for the
 * other. What has to arrive is in the journal.
 */
export interface LiveBus extends AsyncDisposable {
  /** Never throws and holds up nobody. */
  publish(event: RunEvent): void
  /** Calls `listener` with the run's events as they come. Ends when what it answers with is disposed. */
  subscribe(runId: string, listener: (event: RunEvent) => void): Promise<AsyncDisposable>
}
