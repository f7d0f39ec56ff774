import { defineAgent } from '@parley/engine'
import type {
  AgentStep,
  MapStep,
  ParallelStep,
  RepeatStep,
  Step,
  ApprovalStep,
  WorkflowStep,
} from '../definition/step.ts'
import { compileExpression } from '../expression/compile-expression.ts'
import { compileReference } from '../template/compile-reference.ts'
import { compileData, compileText } from '../template/compile-template.ts'
import { below, refuse, seeing, type Binding } from '../template/site.ts'
import { compileBranch } from './compile-branch.ts'
import { compileCondition } from './compile-condition.ts'
import { compileSequence } from './compile-sequence.ts'
import { countStep, type Context, type Spot } from './context.ts'
import { STEP_TOOLS, type CallPlan, type MapPlan, type ParallelPlan, type Plan, type RepeatPlan } from './plan.ts'
import { limitsOf } from './run-limits.ts'
import { itemId, roundId, stepId } from './step-id.ts'
import { checkTool, findAgent, findWorkflow } from './registry.ts'

/** Compiles a step. @throws ParleyError `config-invalid` with the path of an invalid value. */
export function compileStep(step: Step, spot: Spot, context: Context): Plan {
  const { segment, site } = spot
  countStep(context, site.path)
  switch (step.type) {
    case 'agent':
      return compileAgent(step, spot, context)
    case 'tool': {
      checkTool(context.compilation.registry, step.tool, `${site.path}.tool`)
      const reserved = Object.values<string>(STEP_TOOLS).includes(step.tool)
      if (reserved) refuse(`${site.path}.tool`, `'${step.tool}' is reserved for workflows`)
      return { type: 'call', segment, tool: step.tool, input: compileData(step.input ?? {}, below(site, '.input')) }
    }
    case 'sequence':
      return compileSequence({ ...step, segment }, site, context)
    case 'parallel':
      return compileParallel(step, spot, context)
    case 'if':
      return compileCondition(step, spot, context)
    case 'map':
      return compileMap(step, spot, context)
    case 'repeat':
      return compileRepeat(step, spot, context)
    case 'approval':
      return compileApproval(step, spot, context)
    case 'workflow':
      return compileSubWorkflow(step, spot, context)
  }
}

function compileAgent(step: AgentStep, { segment, site }: Spot, { compilation, place }: Context): CallPlan {
  const { agent, output, variables } = step
  const found = findAgent(compilation.registry, agent, `${site.path}.agent`)
  if (output !== undefined && typeof found === 'string')
    refuse(`${site.path}.output`, `requires the agent '${agent}' itself in \`agents\`, not only its name`)
  // The engine identifies agents by object, so each step with an output schema gets its own agent.
  const asked = output === undefined || typeof found === 'string' ? found : defineAgent({ ...found, output })
  compilation.agents.set(place, asked)
  const prompt = compileText(step.prompt, below(site, '.prompt'))
  const values = variables === undefined ? undefined : compileData(variables, below(site, '.variables'))
  return {
    type: 'call',
    segment,
    tool: STEP_TOOLS.agent,
    input: scope => ({ agent, prompt: prompt(scope), ...(values === undefined ? {} : { variables: values(scope) }) }),
  }
}

function compileParallel(step: ParallelStep, { segment, site }: Spot, context: Context): ParallelPlan {
  const tolerant = (step.onFailure ?? context.policy) === 'continue'
  const branches = step.steps.map((branch, index) => {
    const here = below(site, `.steps[${index}]`)
    const inner = branch.name ?? `${index}`
    const place = stepId(context.place, inner)
    if (!tolerant) context.compilation.failFast.add(place)
    return compileBranch({ steps: [branch], field: '' }, { segment: inner, site: here }, { ...context, place })
  })
  return { type: 'parallel', segment, branches, tolerant }
}

function compileMap(step: MapStep, { segment, site }: Spot, context: Context): MapPlan {
  const { over, as = 'item', steps, reduce = 'collect' } = step
  if (site.visible.has(as))
    refuse(`${site.path}.as`, `'${as}' is already the name of another value; choose another name`)
  const tolerant = (step.onFailure ?? context.policy) === 'continue'
  const place = itemId(context.place, '')
  if (!tolerant && reduce !== 'first') context.compilation.failFast.add(place)
  const inside = seeing(site, [{ key: as }, { key: 'index' }])
  const body = compileBranch({ steps, field: '.steps[0]' }, { segment: '', site: inside }, { ...context, place })
  return {
    type: 'map',
    segment,
    over: compileReference(over, below(site, '.over')),
    list: over,
    as,
    body,
    reduce,
    tolerant,
  }
}

function compileRepeat(step: RepeatStep, { segment, site }: Spot, context: Context): RepeatPlan {
  const last: Binding = { key: 'result' }
  const inside = seeing(site, [last])
  const body = compileSequence({ steps: step.steps, segment: '' }, inside, {
    ...context,
    place: roundId(context.place, ''),
  })
  // The first round sees the result of the step before.
  const before = site.visible.get('result')
  if (before !== undefined && site.uses.has(last)) site.uses.add(before)
  const until = compileExpression(step.until, below(inside, '.until'))
  return { type: 'repeat', segment, body, until, maxTimes: step.maxTimes }
}

function compileApproval(step: ApprovalStep, { segment, site }: Spot, context: Context): CallPlan {
  const { roles, timeoutMs } = step
  if (step.onTimeout !== undefined && timeoutMs === undefined) refuse(`${site.path}.onTimeout`, 'requires timeoutMs')
  const prompt = compileText(step.prompt, below(site, '.prompt'))
  const path = (field: 'onRejected' | 'onTimeout', name: string) => {
    const steps = step[field]
    if (steps === undefined) return undefined
    const seen = field === 'onRejected' ? seeing(site, [{ key: 'reason' }]) : site
    return compileSequence({ steps, segment: name, field }, seen, { ...context, place: stepId(context.place, name) })
  }
  return {
    type: 'call',
    segment,
    tool: STEP_TOOLS.approval,
    input: scope => ({
      prompt: prompt(scope),
      ...(roles === undefined ? {} : { roles: [...roles] }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
    onRejected: path('onRejected', 'rejected'),
    onTimeout: path('onTimeout', 'late'),
  }
}

function compileSubWorkflow(step: WorkflowStep, { segment, site }: Spot, context: Context): CallPlan {
  const { compilation, place, depth } = context
  const { inputs = {} } = step
  const workflow = findWorkflow(compilation.registry, step.workflow, `${site.path}.workflow`)
  const known = workflow.inputs ?? {}
  const unknown = Object.keys(inputs).find(name => !Object.hasOwn(known, name))
  if (unknown !== undefined) refuse(`${site.path}.inputs.${unknown}`, `is an unknown input of '${workflow.name}'`)
  const missing = Object.keys(known).find(name => !Object.hasOwn(inputs, name) && known[name]?.default === undefined)
  if (missing !== undefined) refuse(`${site.path}.inputs`, `must have a value for '${missing}' of '${workflow.name}'`)
  const plan = compilation.compileDefinition(workflow, { ...context, depth: depth + 1 })
  compilation.runs.set(place, { place, plan, policy: 'fail', depth: depth + 1, limits: limitsOf(workflow, true) })
  const input = compileReference('input', site)
  const values = Object.entries(known).map(([name, { default: value = null }]) => {
    const given = inputs[name]
    return [name, given === undefined ? () => value : compileData(given, below(site, `.inputs.${name}`))] as const
  })
  return {
    type: 'call',
    segment,
    tool: STEP_TOOLS.run,
    input: scope => ({
      workflow: workflow.name,
      scope: Object.fromEntries([['input', input(scope)], ...values.map(([name, value]) => [name, value(scope)])]),
    }),
  }
}
