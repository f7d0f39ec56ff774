import type { Principal } from '../schema/approval.ts'

/** Identity of a run, for tools, middleware and events. */
export interface RunFacts {
  readonly runId: string
  readonly sessionId: string
  /** Name of the agent that answers now. A handoff changes it in this object. */
  readonly agent: string
  /** Principal on whose behalf the run acts. `undefined` if the run has none. */
  readonly principal?: Principal | undefined
  /** Partition of the store that contains the run. */
  readonly scope: string
  /**
   * Data that the run was given for its tools, instructions and middleware: `RunOptions.context`. Child runs have that of their
   * parent run. `undefined` if the run has none.
   */
  readonly context?: unknown
  /** Directory in which the run's tools work. `undefined` if each tool uses its own. */
  readonly workspace?: string | undefined
  /** Run id and call id of each ancestor, from the root run down. Empty for a root run. */
  readonly path: readonly string[]
}

/** Identity of a run, for code that expects this type of context. */
export type RunWith<TContext> = RunFacts & { readonly context: TContext }
