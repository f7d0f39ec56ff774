import type { Workflow } from '../definition/workflow.ts'
import { refuse, seeing, type Binding, type Site } from '../template/site.ts'
import { checkNames } from './check-names.ts'
import { compileSequence } from './compile-sequence.ts'
import { compileStep } from './compile-step.ts'
import type { Compilation, Context } from './context.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { SequencePlan } from './plan.ts'
import { limitsOf } from './run-limits.ts'
import type { CompiledWorkflow, StepRun } from './step-run.ts'
import { checkSurroundings, type Surroundings } from './surroundings.ts'

/** @throws ParleyError `config-invalid` with the path of what makes no sense. */
export function compileWorkflow(workflow: Workflow, surroundings: Surroundings): CompiledWorkflow {
  checkSurroundings(surroundings)
  const compilation: Compilation = {
    surroundings,
    runs: new Map(),
    agents: new Map(),
    failFast: new Set(),
    definitions: new Set(),
    steps: 0,
    compileStep,
    compileDefinition,
  }
  const plan = compileDefinition(workflow, { compilation, place: '', depth: 0, policy: 'fail', stack: [] })
  const { runs, agents, failFast, definitions } = compilation
  const main: StepRun = { place: '', plan, policy: 'fail', depth: 0, limits: limitsOf(workflow, false) }
  return { name: workflow.name, main, runs, agents, failFast, fingerprint: fingerprintOf([...definitions]) }
}

/** A definition's own steps, for the workflow itself or for a step that names it. */
function compileDefinition(workflow: Workflow, context: Context): SequencePlan {
  const { name, inputs = {}, steps, output, onFailure = 'fail' } = workflow
  const path = `workflows.${name}`
  if (context.stack.includes(name)) refuse(path, `is part of itself: ${[...context.stack, name].join(' → ')}`)
  checkNames(workflow, path)
  context.compilation.definitions.add(workflow)
  const bindings = Object.keys(inputs).map((key): Binding => ({ key }))
  const uses = new Set<Binding>()
  const nowhere: Site = { path, visible: new Map(), uses }
  const inner = { ...context, policy: onFailure, stack: [...context.stack, name] }
  const plan = compileSequence({ steps, output, segment: '' }, seeing(nowhere, [{ key: 'input' }, ...bindings]), inner)
  const unused = bindings.find(binding => !uses.has(binding))
  if (unused !== undefined) refuse(`${path}.inputs.${unused.key}`, 'is used by no step')
  return plan
}
