import type { Evaluate } from '../template/scope.ts'

/** Names of the tools that every workflow agent has besides the tools of its steps. */
export const STEP_TOOLS = {
  agent: 'step_agent',
  approval: 'step_approval',
  run: 'step_run',
  end: 'step_end',
} as const

/** A compiled step. `segment` is its part of a step id: its name or number. */
export type Plan = CallPlan | SequencePlan | ParallelPlan | ConditionPlan | MapPlan | RepeatPlan

/** One tool call: for an agent, a tool, an approval, or a child run. */
export interface CallPlan {
  readonly type: 'call'
  readonly segment: string
  readonly tool: string
  /** Computes the arguments of the call, an object. */
  readonly input: Evaluate
  readonly onRejected?: SequencePlan | undefined
  readonly onTimeout?: SequencePlan | undefined
}

export interface SequencePlan {
  readonly type: 'sequence'
  readonly segment: string
  readonly steps: readonly SequenceItem[]
  readonly output: Evaluate | undefined
  /** Whether a template or condition uses `results`. */
  readonly keepsResults: boolean
}

export interface SequenceItem {
  readonly plan: Plan
  readonly policy: PolicyPlan
  /** The key under which later steps find its output. `undefined` for a step without a name. */
  readonly key: string | undefined
}

export type PolicyPlan = 'fail' | 'continue' | SequencePlan

export interface ParallelPlan {
  readonly type: 'parallel'
  readonly segment: string
  readonly branches: readonly CallPlan[]
  /** Whether the other branches continue when one fails. */
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
  /** The path of the list, for error messages. */
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
