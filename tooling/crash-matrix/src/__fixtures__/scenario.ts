import type { ApprovalDecision, NoteStore } from '@parley/core'
import type { Agent, Run, Runtime } from '@parley/engine'

/** Something a user lets a runtime do, told so that any process can go on with it from whatever is kept. */
export interface Scenario {
  readonly name: string
  /** Every agent it needs, made anew for each process; the first one is asked. */
  readonly agents: (world: World) => readonly [Agent, ...Agent[]]
  /** What is said, one run after another in one session. @default one 'go' */
  readonly inputs?: readonly string[] | undefined
  /** What a person says to the n-th request of a run, from 0. @default nothing ever asks */
  readonly decide?: ((nth: number) => ApprovalDecision) | undefined
  /** In the place of the last input, the first run is forked after this entry. */
  readonly forkAt?: number | undefined
}

/** What the handlers of a scenario can see and do in their process. */
export interface World {
  readonly runtime: () => Runtime
  /** A runtime that drives nothing, over the same store. */
  readonly elsewhere: () => Runtime
  /** The run that is driven now. */
  readonly run: () => Run
  /** Notes that a handler has had its effect, where no crash can take it back. */
  readonly effect: (idempotencyKey: string) => void
  /** Whether a handler has had it. */
  readonly happened: (idempotencyKey: string) => boolean
  /** The notes of the store that is under test. */
  readonly memory: () => NoteStore
  /** Whether the driven run's journal has an entry of the type. */
  readonly has: (type: string) => Promise<boolean>
}
