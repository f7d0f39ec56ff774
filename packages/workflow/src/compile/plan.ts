import type { Evaluate } from '../template/scope.ts'

/** Names of the tools every workflow's agent has, beside those its steps name. */
export const STEP_TOOLS = {
  agent: 'step_agent',
  approval: 'step_approval',
  run: 'step_run',
  end: 'step_end',
} as const

/** A step, compiled. `segment` is its part of a step's id: its name or number. */
export type Plan = CallPlan | SequencePlan | ParallelPlan | ConditionPlan | MapPlan | RepeatPlan

/** What one call of a tool does: an agent, a tool, a question, or steps in a run of their own. */
export interface CallPlan {
  readonly type: 'call'
  readonly segment: string
  readonly tool: string
  /** The call's arguments, an object. */
  readonly input: Evaluate
  readonly onRejected?: SequencePlan | undefined
  readonly onTimeout?: SequencePlan | undefined
}

export interface SequencePlan {
  readonly type: 'sequence'
  readonly segment: string
  readonly steps: readonly SequenceItem[]
  readonly output: Evaluate | undefined
  /** Whether anything looks at `results`. */
  readonly keepsResults: boolean
}

export interface SequenceItem {
  readonly plan: Plan
  readonly policy: PolicyPlan
  /** Under which later steps find its output; undefined for one without a name. */
  readonly key: string | undefined
}

export type PolicyPlan = 'fail' | 'continue' | SequencePlan

export interface ParallelPlan {
  readonly type: 'parallel'
  readonly segment: string
  readonly branches: readonly CallPlan[]
  /** Whether the others go on when one fails. */
  readonly tolerant: boolean
}

export interface ConditionPlan {
  readonly type: 'if'
  readonly segment: string
  readonly condition: Evaluate
  readonly steps: SequencePlan
  readonly otherwise: SequencePlan | undefined
}

export interface MapPlan {
  readonly type: 'map'
  readonly segment: string
  readonly over: Evaluate
  /** The list as the definition names it, for messages. */
  readonly list: string
  readonly as: string
  readonly body: CallPlan
  readonly reduce: 'collect' | 'first' | 'majority'
  readonly tolerant: boolean
}

export interface RepeatPlan {
  readonly type: 'repeat'
  readonly segment: string
  readonly body: SequencePlan
  readonly until: Evaluate
  readonly maxTimes: number
}
