import type { Agent } from '@parley/engine'
import type { FailurePolicy, Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuse, type Site } from '../template/site.ts'
import type { Plan, SequencePlan } from './plan.ts'
import type { StepRun } from './step-run.ts'
import type { Registry } from './registry.ts'

/** What is collected while a definition and everything it names is compiled. Keys are places. */
export interface Compilation {
  readonly registry: Registry
  readonly runs: Map<string, StepRun>
  readonly agents: Map<string, Agent | string>
  readonly failFast: Set<string>
  /** Every definition that is part of it. */
  readonly definitions: Set<Workflow>
  /** How many steps there are so far, counted wherever they are named. */
  steps: number
  /** The way back from the parts of a step to steps. */
  readonly compileStep: (step: Step, spot: Spot, context: Context) => Plan
  /** The way back from a step to definitions. */
  readonly compileDefinition: (workflow: Workflow, context: Context) => SequencePlan
}

/** Where in the compiled workflow something stands. */
export interface Context {
  readonly compilation: Compilation
  /** Of the step, or of the steps around it. */
  readonly place: string
  readonly depth: number
  /** What happens when a step fails that says nothing itself. */
  readonly policy: FailurePolicy
  /** Workflows that are being compiled, outermost first. */
  readonly stack: readonly string[]
}

/** A step's part of its id, and where it stands in the definition. */
export interface Spot {
  readonly segment: string
  readonly site: Site
}

const MAX_STEPS = 10_000

/** @throws ParleyError `config-invalid` for a definition that unfolds to more than anybody can mean. */
export function countStep({ compilation }: Context, path: string): void {
  compilation.steps += 1
  if (compilation.steps > MAX_STEPS) refuse(path, `is one of more than ${MAX_STEPS} steps, with all that is named`)
}
