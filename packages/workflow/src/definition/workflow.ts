import type { Json } from '@parley/core'
import type { FailurePolicy, Step } from './step.ts'

/** A workflow as data, for example from a JSON file. `parseWorkflow` checks its form, `defineWorkflow` makes an agent. */
export interface Workflow {
  /** Name of the agent. It must be unique in a runtime, because journals refer to it. */
  readonly name: string
  /** Description for agents that may call the workflow. @default none */
  readonly description?: string | undefined
  /** Values that a run receives as `variables`, by name. @default none */
  readonly inputs?: Readonly<Record<string, WorkflowInput>> | undefined
  /** Steps, executed in order. */
  readonly steps: readonly Step[]
  /** The result: a template, or data with templates. @default the output of the last step */
  readonly output?: Json | undefined
  /** Failure policy of steps that set none. @default 'fail' */
  readonly onFailure?: FailurePolicy | undefined
  /** Maximum number of concurrent agents and tools, in the run with all its child runs. @default 4 */
  readonly parallelLimit?: number | undefined
  /** Longest time from start to end in milliseconds, with the time for approvals. After it the run ends with `limit`. @default none */
  readonly timeoutMs?: number | undefined
  /** Maximum number of tokens of all agents. A run that exceeds it ends with `limit`. @default 1_000_000 */
  readonly maxTokens?: number | undefined
  /**
   * Maximum cost of all agents in US dollars. Their models require known prices. A run that exceeds it ends with
   * `limit`.
   * @default none
   */
  readonly maxCost?: number | undefined
}

/** An input of a workflow. */
export interface WorkflowInput {
  /** Value for runs that set none. @default none: a run must set the input */
  readonly default?: Json | undefined
}

/** The `output` of a workflow's run. */
export interface WorkflowResult<TResult = Json> {
  /** `partial` if a step failed and the run continued. */
  readonly status: 'success' | 'partial'
  /** The output of the workflow. */
  readonly result: TResult
  /** The steps that failed, in the order of the workflow. */
  readonly failures: readonly StepFailure[]
}

/** A failed step. */
export interface StepFailure {
  /** Id of the step, for example `reviews.1` or `drafts[17].summary`. It is also the id of its call. */
  readonly step: string
  /** The error code. */
  readonly code: string
  /** The error text. */
  readonly detail: string
}
