import type { Json, Limits } from '@parley/core'
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
  /**
   * Limits of a run with all its agents; at a limit the run ends with the status `limit`. `maxCost`: US dollars, for models with
   * known prices. `maxTokens`: 1,000,000 by default. `maxDurationMs`: no limit by default; time spent suspended does not count.
   * `RunOptions.limits` override them. @default those of the runtime's `defaults`
   */
  readonly limits?: WorkflowLimits | undefined
}

/** The limits that a workflow may have. Its definition limits the number and the depth of its steps. */
export type WorkflowLimits = Pick<Limits, 'maxCost' | 'maxTokens' | 'maxDurationMs'>

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
