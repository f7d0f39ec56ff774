import type { Agent } from '@parley/engine'
import type { FailurePolicy, Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuse, type Site } from '../template/site.ts'
import type { Plan, SequencePlan } from './plan.ts'
import type { StepRun } from './step-run.ts'
import type { Registry } from './registry.ts'

/** The result so far while a workflow is compiled. Keys are places in the definition. */
export interface Compilation {
  readonly registry: Registry
  readonly runs: Map<string, StepRun>
  readonly agents: Map<string, Agent | string>
  readonly failFast: Set<string>
  /** The definitions of the workflow and of the workflows that it names. */
  readonly definitions: Set<Workflow>
  /** Number of compiled steps. Steps of a workflow count each time the workflow is named. */
  steps: number
  /** Breaks the import cycle: the files for sequences and branches compile steps through this field. */
  readonly compileStep: (step: Step, spot: Spot, context: Context) => Plan
  /** Breaks the import cycle: a workflow step compiles its definition through this field. */
  readonly compileDefinition: (workflow: Workflow, context: Context) => SequencePlan
}

/** The position of a step in the compiled workflow. */
export interface Context {
  readonly compilation: Compilation
  /** Place of the step, or of the steps around it. */
  readonly place: string
  /** Number of runs of this workflow that contain the step. */
  readonly depth: number
  /** Failure policy of steps that set none. */
  readonly policy: FailurePolicy
  /** Names of the workflows that are being compiled, outermost first. */
  readonly stack: readonly string[]
}

/** The segment of a step's id, and its site in the definition. */
export interface Spot {
  readonly segment: string
  readonly site: Site
}

const MAX_STEPS = 10_000

/**
 * Counts a step.
 * @throws ParleyError `config-invalid` if the workflow has too many steps. The steps of all workflows that it names count too.
 */
export function countStep({ compilation }: Context, path: string): void {
  compilation.steps += 1
  if (compilation.steps > MAX_STEPS) refuse(path, `exceeds ${MAX_STEPS} steps, counting the workflows that it names`)
}
