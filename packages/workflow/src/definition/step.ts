import type { Json, JsonSchemaObject } from '@parley/core'
import type { Expression } from '../expression/expression.ts'

/**
 * A step of a workflow. Strings may contain `{{path}}`. A path starts with the name of an input, or with one of: `input`, the
 * message that started the run; `result`, the output of the previous step; `results`, the outputs so far in this list of steps;
 * `steps.NAME.output`. Inserted values are never read as templates. If a string is only one `{{path}}`, the value keeps its
 * type.
 */
export type Step =
  | AgentStep
  | ToolStep
  | SequenceStep
  | ParallelStep
  | ConditionStep
  | MapStep
  | RepeatStep
  | ApprovalStep
  | WorkflowStep

/**
 * What happens if a step fails. `fail` fails the surrounding step. `continue` continues with the output `null`. `run` executes
 * steps, whose output replaces that of the failed step. The last two add the failure to `failures`.
 */
export type FailurePolicy = 'fail' | 'continue' | { readonly run: readonly Step[] }

interface StepFields {
  /** Unique name in the workflow. Later steps read `steps.NAME.output`. @default the number of the step */
  readonly name?: string | undefined
  /** What happens if the step fails. @default `onFailure` of the workflow */
  readonly onFailure?: FailurePolicy | undefined
}

/** Runs an agent. Output: the agent's structured output, or the text of its answer. */
export interface AgentStep extends StepFields {
  readonly type: 'agent'
  /** Name of the agent. */
  readonly agent: string
  /** The message to the agent. */
  readonly prompt: string
  /** Values for the templates in the agent's instructions. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** JSON Schema of the answer. @default the output schema of the agent */
  readonly output?: JsonSchemaObject | undefined
}

/** Calls a tool. Output: the result of its handler, as data. */
export interface ToolStep extends StepFields {
  readonly type: 'tool'
  /** Name of the tool. */
  readonly tool: string
  /** Arguments of the call. @default {} */
  readonly input?: Readonly<Record<string, Json>> | undefined
}

/** Runs steps in order, as one step. */
export interface SequenceStep extends StepFields {
  readonly type: 'sequence'
  readonly steps: readonly Step[]
  /** A template for the output. @default the output of the last step */
  readonly output?: Json | undefined
}

/**
 * Runs branches concurrently. Output: a list of their outputs, in the order of the branches. With `fail`, the first failure stops the
 * other branches. With `continue`, a failed branch has the output `null`, and the step fails only if all branches fail.
 */
export interface ParallelStep extends StepFields {
  readonly type: 'parallel'
  readonly steps: readonly Step[]
}

/** Runs steps if a condition is true. Output: the output of the last step that ran, or `null`. */
export interface ConditionStep extends StepFields {
  readonly type: 'if'
  readonly condition: Expression
  /** Steps to run if the condition is true. */
  readonly steps: readonly Step[]
  /** Steps to run if the condition is false. @default none */
  readonly else?: readonly Step[] | undefined
}

/** Runs the same steps for each item of a list, concurrently. Failures are handled as in `parallel`. */
export interface MapStep extends StepFields {
  readonly type: 'map'
  /** Path of the list, for example `topics` or `steps.search.output.hits`. */
  readonly over: string
  /** Name of the item for the steps. The steps can also use `index`, the position of the item from 0. @default 'item' */
  readonly as?: string | undefined
  readonly steps: readonly Step[]
  /**
   * How the outputs are combined. `collect`: a list in the order of the items. `majority`: the most frequent output, and the
   * earliest one if several are equally frequent; `null` for an empty list. `first`: the output of the first item that
   * succeeds. Then no further items start and earlier failures do not count. The step fails if no item succeeds.
   * @default 'collect'
   */
  readonly reduce?: 'collect' | 'first' | 'majority' | undefined
}

/** Repeats steps until a condition is true. Output: the output of the last round. */
export interface RepeatStep extends StepFields {
  readonly type: 'repeat'
  readonly steps: readonly Step[]
  /** Evaluated after each round. `result` is the output of the round. */
  readonly until: Expression
  /** Maximum number of rounds, at most 1000. If the condition is still false after them, the step fails. */
  readonly maxTimes: number
}

/** Asks for approval. Output: `true`, or the field `value` of the input that the approver modified. */
export interface ApprovalStep extends StepFields {
  readonly type: 'approval'
  /** The question to the approver. */
  readonly prompt: string
  /** Roles that may decide. @default every role */
  readonly roles?: readonly string[] | undefined
  /** Milliseconds after which the request expires. @default never */
  readonly timeoutMs?: number | undefined
  /**
   * Steps to run after a rejection. These steps can use the `reason`. Their output becomes the output of this step.
   * @default the step fails
   */
  readonly onRejected?: readonly Step[] | undefined
  /** Steps to run if the request expires. Their output becomes the output of this step. @default the step fails */
  readonly onTimeout?: readonly Step[] | undefined
}

/**
 * Runs another workflow. Output: the result of that workflow. Its `onFailure` and `limits` apply. Its
 * `parallelLimit` does not.
 */
export interface WorkflowStep extends StepFields {
  readonly type: 'workflow'
  /** Name of the workflow. */
  readonly workflow: string
  /** Values for the inputs of that workflow. @default the defaults of the inputs */
  readonly inputs?: Readonly<Record<string, Json>> | undefined
}
