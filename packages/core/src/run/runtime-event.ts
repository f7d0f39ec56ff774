import type { RunEvent } from './run-event.ts'

interface RuntimeEventEnvelope {
  /** The runtime: its `worker`. */
  readonly worker: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** An event bus keeps a place for it, however many others wait. */
  readonly critical: true
}

/** What came of a runtime's runs and resources when it was closed. */
export interface RuntimeEnd {
  /** What a process may end with: 1 when something had to be killed, was left behind or failed to close, else 0. */
  readonly exitCode: 0 | 1
  /** Runs that came to their end by themselves. */
  readonly drained: number
  readonly cancelled: number
  /** Runs let go to be resumed later. */
  readonly suspended: number
  /** Runs that did not stop in time. Their journals say so: they are unfinished. */
  readonly abandoned: number
  /** Resources, child processes say, that had to be killed. */
  readonly killed: number
}

/** What happens to a runtime, and belongs to none of its runs. Told to the subscribers of its event bus. */
export type RuntimeEvent =
  /** It starts no more runs. `runs` were under way, those that waited for their place included. */
  | (RuntimeEventEnvelope & { readonly type: 'runtime.closing'; readonly runs: number })
  /** No run is driven any more. What was closed before the bus counts; `close` reports the rest. */
  | (RuntimeEventEnvelope & RuntimeEnd & { readonly type: 'runtime.closed' })

/** What a subscriber of an event bus is handed. */
export type BusEvent = RunEvent | RuntimeEvent
export type BusEventType = BusEvent['type']
