import type { Limits } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Plan, PolicyPlan } from './plan.ts'

/** What one run does: the workflow itself, or steps of it in a run of their own. */
export interface StepRun {
  /** `''` for the workflow itself. */
  readonly place: string
  readonly plan: Plan
  /** What happens when the plan fails. */
  readonly policy: PolicyPlan
  /** How many runs of the workflow are around it. */
  readonly depth: number
  readonly limits: Limits
}

/** A workflow with all it is made of, compiled. Keys are places in the definition. */
export interface CompiledWorkflow {
  readonly name: string
  readonly main: StepRun
  readonly runs: ReadonlyMap<string, StepRun>
  /** Whom an agent step asks. */
  readonly agents: ReadonlyMap<string, Agent | string>
  /** The calls of which the first to fail stops the others at its side. */
  readonly failFast: ReadonlySet<string>
  /** Tells this definition from others of its name. */
  readonly fingerprint: string
}
