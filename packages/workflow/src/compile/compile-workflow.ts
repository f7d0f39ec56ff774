import type { Workflow } from '../definition/workflow.ts'
import { refuse, seeing, type Binding, type Site } from '../template/site.ts'
import { checkNames } from './check-names.ts'
import { compileSequence } from './compile-sequence.ts'
import { compileStep } from './compile-step.ts'
import type { Compilation, Context } from './context.ts'
import type { SequencePlan } from './plan.ts'
import { limitsOf } from './run-limits.ts'
import type { CompiledWorkflow, StepRun } from './step-run.ts'
import { checkRegistry, type Registry } from './registry.ts'

/** Compiles a workflow with everything that it names. @throws ParleyError `config-invalid` with the path of an invalid value. */
export function compileWorkflow(workflow: Workflow, registry: Registry): CompiledWorkflow {
  checkRegistry(registry)
  const compilation: Compilation = {
    registry,
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

/** Compiles the steps of a definition, for the workflow itself or for a step that names it. */
function compileDefinition(workflow: Workflow, context: Context): SequencePlan {
  const { name, inputs = {}, steps, output, onFailure = 'fail' } = workflow
  const path = `workflows.${name}`
  if (context.stack.includes(name)) refuse(path, `contains itself: ${[...context.stack, name].join(' → ')}`)
  checkNames(workflow, path)
  context.compilation.definitions.add(workflow)
  const bindings = Object.keys(inputs).map((key): Binding => ({ key }))
  const uses = new Set<Binding>()
  const nowhere: Site = { path, visible: new Map(), uses }
  const inner = { ...context, policy: onFailure, stack: [...context.stack, name] }
  const plan = compileSequence({ steps, output, segment: '' }, seeing(nowhere, [{ key: 'input' }, ...bindings]), inner)
  const unused = bindings.find(binding => !uses.has(binding))
  if (unused !== undefined) refuse(`${path}.inputs.${unused.key}`, 'is not used by any step')
  return plan
}

/** Hashes data (FNV-1a, 32 bits) to detect changed definitions. The hash is not secure against forgery. */
function fingerprintOf(data: unknown): string {
  let hash = 0x811c9dc5
  for (const character of JSON.stringify(data)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
