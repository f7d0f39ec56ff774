import type { ApprovalDecision, NoteStore } from '@parley/core'
import type { Agent, Run, Runtime } from '@parley/engine'

/** A task for a runtime, described so that any process can resume it from its journals. */
export interface Scenario {
  readonly name: string
  /** Creates the agents in each process. The first one receives the inputs. */
  readonly agents: (world: World) => readonly [Agent, ...Agent[]]
  /** The inputs of successive runs of one session. @default ['go'] */
  readonly inputs?: readonly string[] | undefined
  /** Decides the n-th approval request of a run, counted from 0. @default no tool requests an approval */
  readonly decide?: ((nth: number) => ApprovalDecision) | undefined
  /**
   * Number of an entry of the first run. If set, the last input starts a fork of that run after this entry instead of a
   * new run.
   */
  readonly forkAt?: number | undefined
}

/** The functions and objects that the handlers of a scenario can use in their process. */
export interface World {
  readonly runtime: () => Runtime
  /** A second runtime on the same store. It does not drive the run. */
  readonly elsewhere: () => Runtime
  /** The run that the process drives. */
  readonly run: () => Run
  /** Records the effect of a handler in a file that survives a crash. */
  readonly effect: (idempotencyKey: string) => void
  /** Whether an effect is recorded. */
  readonly happened: (idempotencyKey: string) => boolean
  /** The notes of the store that is under test. */
  readonly memory: () => NoteStore
  /** Whether the journal of the driven run has an entry of the type. */
  readonly has: (type: string) => Promise<boolean>
}
