import type { Limits } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Plan, PolicyPlan } from './plan.ts'

/** What one run executes: the whole workflow, or some of its steps in a child run. */
export interface StepRun {
  /** Place in the definition; `''` for the whole workflow. */
  readonly place: string
  readonly plan: Plan
  /** What to do if the plan fails. */
  readonly policy: PolicyPlan
  /** Number of runs of this workflow that contain this run. */
  readonly depth: number
  readonly limits: Limits
}

/** A compiled workflow. Keys are places in the definition. */
export interface CompiledWorkflow {
  readonly name: string
  readonly main: StepRun
  /** The child runs. */
  readonly runs: ReadonlyMap<string, StepRun>
  /** The agents of the agent steps. */
  readonly agents: ReadonlyMap<string, Agent | string>
  /** Places of calls whose failure stops their concurrent siblings. */
  readonly failFast: ReadonlySet<string>
  /** Distinguishes this definition from other definitions of the same name. */
  readonly fingerprint: string
}
