import type { Entry, RunEvent } from '@parley/core'
import type { Run } from '@parley/engine'

/** A run that a protocol shows, from one of its entries. */
export interface ProtocolRun {
  readonly runId: string
  readonly sessionId: string
  /** The run, or the first of the runs that follow several answers. Missing if this server does not drive it. */
  readonly run?: Run | undefined
  /** Number of the first new entry. */
  readonly fromSeq: number
  /** Entries before it, of the kinds that encoders read. @default none */
  readonly prior?: readonly Entry[] | undefined
  /** Returns the events from that entry. Called once for each reader. */
  readonly watch: () => AsyncIterable<RunEvent>
}
