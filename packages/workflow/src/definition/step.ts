import type { Json, JsonSchemaObject } from '@parley/core'
import type { Expression } from '../expression/expression.ts'

/**
 * One thing to do. Texts and data may hold `{{path}}`: an input, `input` (what the run was asked), `result` (the output of
 * the step before), `results` (the outputs of this list of steps so far) or `steps.NAME.output`, and a way into it. A value
 * is put in once and never read as a template; a text that is nothing but one `{{path}}` is the value itself.
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
 * When a step fails: `fail` lets what it is part of fail, `continue` goes on with the output `null`, and steps to `run`
 * give the output in its place. Both of the latter leave word in `failures`.
 */
export type FailurePolicy = 'fail' | 'continue' | { readonly run: readonly Step[] }

interface StepFields {
  /** Unique in the workflow: later steps read `steps.NAME.output`. @default its number */
  readonly name?: string | undefined
  /** @default the workflow's */
  readonly onFailure?: FailurePolicy | undefined
}

/** Lets an agent work. Output: its structured output, or the text of its answer. */
export interface AgentStep extends StepFields {
  readonly type: 'agent'
  readonly agent: string
  readonly prompt: string
  /** Values for the templates among its instructions. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** A JSON Schema its answer has to fit. @default the agent's own */
  readonly output?: JsonSchemaObject | undefined
}

/** Calls a tool. Output: what its handler gives back, as data. */
export interface ToolStep extends StepFields {
  readonly type: 'tool'
  readonly tool: string
  /** @default {} */
  readonly input?: Readonly<Record<string, Json>> | undefined
}

/** Steps in order, as one. */
export interface SequenceStep extends StepFields {
  readonly type: 'sequence'
  readonly steps: readonly Step[]
  /** @default the last step's output */
  readonly output?: Json | undefined
}

/**
 * Branches at the same time. Output: theirs, in their order. With `fail`, the first failure stops the others; with
 * `continue`, the output of a failed one is `null`, and only when all have failed so has this.
 */
export interface ParallelStep extends StepFields {
  readonly type: 'parallel'
  readonly steps: readonly Step[]
}

/** One way or the other. Output: that of the last step taken, `null` when there was none. */
export interface ConditionStep extends StepFields {
  readonly type: 'if'
  readonly condition: Expression
  /** Taken when it holds. */
  readonly steps: readonly Step[]
  /** @default nothing */
  readonly else?: readonly Step[] | undefined
}

/** The same steps for each item of a list, at the same time. Failures are met as in `parallel`. */
export interface MapStep extends StepFields {
  readonly type: 'map'
  /** Path of the list: `topics`, `steps.search.output.hits`. */
  readonly over: string
  /** What the steps call an item; they also have its number, `index`, from 0. @default 'item' */
  readonly as?: string | undefined
  readonly steps: readonly Step[]
  /**
   * `collect`: all outputs in the order of the items. `majority`: the most frequent output, of several the one that came up
   * first; `null` for no items. `first`: that of the first item which did not fail; further items are not begun then, failures before it
   * are no failures of the run, and when there is none the step fails. @default 'collect'
   */
  readonly reduce?: 'collect' | 'first' | 'majority' | undefined
}

/** The same steps again until a condition holds. Output: that of the last round. */
export interface RepeatStep extends StepFields {
  readonly type: 'repeat'
  readonly steps: readonly Step[]
  /** Asked after each round, of which `result` is the output. */
  readonly until: Expression
  /** Rounds after which the step has failed, at most 1000. */
  readonly maxTimes: number
}

/** Asks a person. Output: `true`, or the field `value` of the input a person has modified. */
export interface ApprovalStep extends StepFields {
  readonly type: 'approval'
  readonly prompt: string
  /** Who may decide. @default anybody */
  readonly roles?: readonly string[] | undefined
  /** How long there is to decide. @default forever */
  readonly timeoutMs?: number | undefined
  /** Taken after a no, whose words are `reason`; their output is this step's. @default the step has failed */
  readonly onRejected?: readonly Step[] | undefined
  /** Taken when nobody has decided in time; their output is this step's. @default the step has failed */
  readonly onTimeout?: readonly Step[] | undefined
}

/** Another workflow, by name. Output: its result. Failures, time and tokens are as it says; what is at work at once counts here. */
export interface WorkflowStep extends StepFields {
  readonly type: 'workflow'
  readonly workflow: string
  /** Values for its inputs. @default their defaults */
  readonly inputs?: Readonly<Record<string, Json>> | undefined
}
