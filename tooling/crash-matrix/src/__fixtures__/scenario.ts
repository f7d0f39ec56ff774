import type { ApprovalDecision, ClientCall, ClientTool, Entry, NoteStore, Store } from '@parley/core'
import type { Agent, Run, Runtime, ToolResult } from '@parley/engine'

/** A task for a runtime, described so that any process can resume it from its journals. */
export interface Scenario {
  readonly name: string
  /** Creates the agents in each process. The first one receives the inputs. */
  readonly agents: (world: World) => readonly [Agent, ...Agent[]]
  /** The inputs of successive runs of one session. @default ['go'] */
  readonly inputs?: readonly string[] | undefined
  /** Decides the n-th approval request of a run, counted from 0. @default no tool requests an approval */
  readonly decide?: ((nth: number) => ApprovalDecision) | undefined
  /** Gives the result of a call that the client executes. @default no tool waits for the client */
  readonly submit?: ((call: ClientCall) => ToolResult) | undefined
  /** Tools that each run brings. @default none */
  readonly clientTools?: readonly ClientTool[] | undefined
  /**
   * Number of an entry of the first run. If set, the last input starts a fork of that run after this entry instead of a
   * new run.
   */
  readonly forkAt?: number | undefined
  /**
   * Continues a suspended run, in place of `decide` and `submit`. Resolves to `over` if another process has continued it.
   */
  readonly whenWaiting?: ((at: Waiting) => Promise<Run | 'over'>) | undefined
  /** Checks the journals after all runs have ended. Throws if they are wrong. */
  readonly check?: ((at: ScenarioRun) => Promise<void>) | undefined
  /** Whether chance decides how the runs end. @default false */
  readonly isRace?: boolean | undefined
}

/** A scenario in one process. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly sessionId: string
  readonly runtime: Runtime
  readonly store: Store
  readonly onRun: (run: Run) => void
  /** Opens another runtime with agents on the same store. @default the agents of the scenario */
  readonly another: (agents?: readonly Agent[]) => Runtime
  /** What the client has done. The client is not killed, so it remembers. */
  readonly done: Set<string>
}

/** A suspended run. */
export interface Waiting extends ScenarioRun {
  readonly runId: string
  readonly entries: readonly Entry[]
  /** The calls that wait for the client, each with the id of the run that made it. */
  readonly calls: readonly (ClientCall & { readonly runId: string })[]
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
