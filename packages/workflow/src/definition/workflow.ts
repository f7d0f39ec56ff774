import type { Json } from '@parley/core'
import type { FailurePolicy, Step } from './step.ts'

/** Steps as data: may come from a file. `defineWorkflow` makes an agent of it, `parseWorkflow` checks a value's form. */
export interface Workflow {
  /** The agent's name: unique in a runtime, and journals refer to it. */
  readonly name: string
  /** What it does, for agents that may call it. @default none */
  readonly description?: string | undefined
  /** Values a run is given as `variables`. All others a step may use are the run's own. @default none */
  readonly inputs?: Readonly<Record<string, WorkflowInput>> | undefined
  /** Done in order. */
  readonly steps: readonly Step[]
  /** What the run ends with: a template, or data with templates in it. @default the last step's output */
  readonly output?: Json | undefined
  /** What happens when a step fails that says nothing itself. @default 'fail' */
  readonly onFailure?: FailurePolicy | undefined
  /** Agents and tools at work at once, in the whole run with every workflow that is part of it. @default 4 */
  readonly parallelLimit?: number | undefined
  /** From the start of the run to its end, waiting for people included; then it ends with outcome `limit`. @default none */
  readonly timeoutMs?: number | undefined
  /** Tokens of all agents together; then the run ends with outcome `limit`. @default 1_000_000 */
  readonly maxTokens?: number | undefined
  /** US dollars of all agents together, whose models need known prices; then the run ends with outcome `limit`. @default none */
  readonly maxCost?: number | undefined
}

export interface WorkflowInput {
  /** What a run has that gives no value; without it, a run must give one. */
  readonly default?: Json | undefined
}

/** What a run of a workflow ends with, as its `output`. */
export interface WorkflowResult {
  /** `partial` when a step has failed and the run went on. */
  readonly status: 'success' | 'partial'
  readonly result: Json
  /** The steps that failed, in the order of the workflow. */
  readonly failures: readonly StepFailure[]
}

export interface StepFailure {
  /** Which step of the run: `reviews.1`, `drafts[17].summary`; the id of its call, too. */
  readonly step: string
  /** The code of what went wrong. */
  readonly code: string
  readonly detail: string
}
