import type { RunEvent } from './run-event.ts'

/**
 * Carries ephemeral events (`EphemeralEvent`) from the process that drives a run to readers in other processes. It is lossy: an
 * event arrives once, late or never, and neither side waits. Whatever must arrive is in the journal.
 */
export interface LiveBus extends AsyncDisposable {
  /** Sends an event. Never throws and never blocks. */
  publish(event: RunEvent): void
  /** Calls `listener` with each event of the run as it arrives. Dispose the result to stop. */
  subscribe(runId: string, listener: (event: RunEvent) => void): Promise<AsyncDisposable>
}
