import type { Json } from '@parley/core'
import type { FailurePolicy, Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'
import { isObject } from '../template/json.ts'
import { refuse } from '../template/site.ts'
import { fromParExpression } from './from-par-expression.ts'
import { noNames, rewriteData, rewritePath, rewriteText, type ParNames } from './par-names.ts'
import { listOf, recordOf, tagOf, textOf } from './par-values.ts'

/** Whether data is a workflow definition of the P-A-R SDK: its `steps` is one tagged step. */
export function isPar(value: unknown): value is Record<string, Json> {
  return isObject(value) && Array.isArray(value['steps']) && typeof value['steps'][0] === 'string'
}

/**
 * Converts a definition of the P-A-R SDK. Names that templates use and the definition does not declare become required inputs.
 * The output of a sequence is the list of the results of its steps, as in P-A-R.
 * @throws ParleyError `config-invalid` if a tag or field is unknown.
 */
export function fromPar(value: Readonly<Record<string, Json>>): Workflow {
  const {
    id,
    name,
    version: _version,
    steps,
    variables,
    failure_policy: policy,
    parallel_limit: limit,
    timeout,
    ...others
  } = value
  const path = `workflows.${typeof id === 'string' ? id : '(unnamed)'}`
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) refuse(`${path}.${unknown}`, 'is an unknown field of a P-A-R workflow')
  const names = noNames()
  const entry = fromParStep(steps, `${path}.steps`, names)
  const onFailure = fromParPolicy(policy, `${path}.failure_policy`, names)
  const declared = pairsOf(variables ?? [], `${path}.variables`).map(
    ([key, value]) => [key, { default: value }] as const,
  )
  const implied = [...names.unknown].map(key => [key, {}] as const)
  return {
    name: textOf(id, `${path}.id`),
    ...(typeof name === 'string' && name !== '' ? { description: name } : {}),
    inputs: Object.fromEntries([...implied, ...declared]),
    ...(entry.type === 'sequence' ? { steps: entry.steps, output: entry.output } : { steps: [entry] }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(typeof limit === 'number' ? { parallelLimit: limit } : {}),
    ...(typeof timeout === 'number' ? { limits: { maxDurationMs: timeout * 1_000 } } : {}),
  }
}

function fromParPolicy(value: Json | undefined, path: string, names: ParNames): FailurePolicy | undefined {
  if (value === undefined || value === null) return undefined
  const [tag, payload] = tagOf(value, path)
  switch (tag) {
    case 'Fail_fast':
      return 'fail'
    case 'Continue_on_failure':
      return 'continue'
    case 'Conditional':
      return { run: [fromParStep(recordOf(payload, path)['on_failure'], `${path}.on_failure`, names)] }
    default:
      return refuse(path, `the P-A-R failure policy '${tag}' is unknown`)
  }
}

function fromParStep(value: Json | undefined, path: string, names: ParNames): Step {
  const [tag, payload] = tagOf(value, path)
  if (tag === 'Sequential') return fromParSequence(listOf(payload, path), path, names)
  if (tag === 'Parallel') {
    return {
      type: 'parallel',
      steps: listOf(payload, path).map((step, index) => fromParStep(step, `${path}[${index}]`, names)),
    }
  }
  const fields = recordOf(payload, path)
  const text = (field: string): string => textOf(fields[field], `${path}.${field}`)
  switch (tag) {
    case 'Agent_call': {
      const { response_schema: output } = fields
      const prompt = rewriteText(text('prompt_template'), names)
      return { type: 'agent', agent: text('agent_id'), prompt, ...(isObject(output) ? { output } : {}) }
    }
    case 'Tool_call': {
      const input = rewriteData(fields['input'] ?? {}, names)
      return { type: 'tool', tool: text('tool_name'), input: recordOf(input, `${path}.input`) }
    }
    case 'Conditional': {
      const { then_step: then, else_step: otherwise = null } = fields
      return {
        type: 'if',
        condition: fromParExpression(fields['condition'], `${path}.condition`, names),
        steps: [fromParStep(then, `${path}.then_step`, names)],
        ...(otherwise === null ? {} : { else: [fromParStep(otherwise, `${path}.else_step`, names)] }),
      }
    }
    case 'Map_reduce':
      return fromParMap(fields, path, names)
    case 'Human_approval': {
      const { timeout, allowed_roles: roles } = fields
      return {
        type: 'approval',
        prompt: rewriteText(text('prompt_template'), names),
        ...(Array.isArray(roles) ? { roles: roles.map(role => textOf(role, `${path}.allowed_roles`)) } : {}),
        ...(typeof timeout === 'number' ? { timeoutMs: timeout * 1_000 } : {}),
      }
    }
    case 'Sub_workflow': {
      const given = pairsOf(fields['variables'] ?? [], `${path}.variables`)
      const inputs = given.map(([key, each]) => [key, rewriteData(each, names)] as const)
      return { type: 'workflow', workflow: text('workflow_id'), inputs: Object.fromEntries(inputs) }
    }
    default:
      return refuse(path, `the P-A-R step '${tag}' is unknown`)
  }
}

/** Converts a sequence. Later steps name earlier results by number. */
function fromParSequence(steps: readonly Json[], path: string, names: ParNames): Extract<Step, { type: 'sequence' }> {
  const inside: ParNames = { ...names, before: [], outer: names.before.at(-1) ?? names.outer }
  const converted = steps.map((step, index) => {
    const given = fromParStep(step, `${path}[${index}]`, { ...inside, before: [...inside.before] })
    inside.before.push(given.type)
    return given
  })
  return { type: 'sequence', steps: converted, output: '{{results}}' }
}

const REDUCERS = { Collect_all: 'collect', First_success: 'first', Majority: 'majority' } as const

/** Converts a map. In P-A-R, the item has the same name as its list and hides it. */
function fromParMap(fields: Readonly<Record<string, Json>>, path: string, names: ParNames): Step {
  const over = textOf(fields['over'], `${path}.over`)
  const [reducer] = tagOf(fields['reduce'] ?? ['Collect_all'], `${path}.reduce`)
  if (!Object.hasOwn(REDUCERS, reducer)) refuse(`${path}.reduce`, `the P-A-R reducer '${reducer}' is unknown`)
  const as = `${over.replaceAll(/\W/g, '_')}_item${names.items.size === 0 ? '' : names.items.size}`
  const inside = { ...names, items: new Map(names.items).set(over, as) }
  return {
    type: 'map',
    over: rewritePath(over, names),
    as,
    steps: [fromParStep(fields['step'], `${path}.step`, inside)],
    reduce: REDUCERS[reducer as keyof typeof REDUCERS],
  }
}

function pairsOf(value: Json, path: string): readonly (readonly [string, Json])[] {
  return listOf(value, path).map(pair => {
    const [key, given = null] = listOf(pair, path)
    return [textOf(key, path), given] as const
  })
}
