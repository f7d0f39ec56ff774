import { checkOptions, systemClock, type Clock, type Json, type OptionKinds } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { compileWorkflow } from './compile/compile-workflow.ts'
import { parallelLimitOf } from './compile/run-limits.ts'
import type { StepRun } from './compile/step-run.ts'
import type { Registry } from './compile/registry.ts'
import { keepDefinition } from './graph/workflow-of.ts'
import { parseWorkflow } from './parse-workflow.ts'
import type { Workflow, WorkflowResult } from './definition/workflow.ts'
import { KeyedSemaphore } from './run/keyed-semaphore.ts'
import type { CheckedWorkflow } from './typing/checked-workflow.ts'
import type { Parts, WorkflowOutput } from './typing/output-of.ts'
import { outputAsData } from './run/output-as-data.ts'
import { stepApproval, stepEnd } from './run/step-approval.ts'
import { createStepAgent } from './run/step-agent.ts'
import { rejectMessages } from './run/reject-messages.ts'
import { createStepMiddleware } from './run/step-middleware.ts'
import { createStepRunTool } from './run/step-run-tool.ts'
import { createWorkflowModel } from './run/workflow-model.ts'

/** Options of `defineWorkflow`. */
export interface WorkflowOptions<
  TAgents extends Registry['agents'] = Registry['agents'],
  TTools extends Registry['tools'] = Registry['tools'],
  TWorkflows extends Registry['workflows'] = Registry['workflows'],
>
  extends Registry, Pick<Agent, 'middleware' | 'onApproval' | 'permissions'> {
  readonly agents?: TAgents
  readonly tools?: TTools
  readonly workflows?: TWorkflows
  /** Clock for the wait until a stopped step settles. @default systemClock */
  readonly clock?: Clock | undefined
}

const OPTIONS: OptionKinds<WorkflowOptions> = {
  clock: 'clock',
  agents: 'list',
  tools: 'list',
  workflows: 'list',
  middleware: 'list',
  onApproval: 'function',
  permissions: 'list',
}

/**
 * Checks a workflow and makes an agent whose runs execute the steps. Journal, resume, approvals, events and limits work as for
 * every run. The inputs are the run's `variables`, and the result is its `output`. The compiler checks a definition that is
 * written in the call: a reference must exist, and its type must fit the tool that receives it. It does not check a value of the type
 * `Workflow`, for example one from a file.
 * @throws ParleyError `config-invalid` with the path of the problem, such as an invalid field, template or condition. Unknown
 * or repeated names, unused inputs, and workflows that contain themselves are problems too.
 */
export function defineWorkflow<
  const TWorkflow extends Workflow,
  const TAgents extends Registry['agents'] = undefined,
  const TTools extends Registry['tools'] = undefined,
  const TWorkflows extends Registry['workflows'] = undefined,
>(
  workflow: TWorkflow & CheckedWorkflow<TWorkflow, PartsOf<TAgents, TTools, TWorkflows>>,
  options: WorkflowOptions<TAgents, TTools, TWorkflows> = {},
): TypedWorkflow<TWorkflow, PartsOf<TAgents, TTools, TWorkflows>> {
  checkOptions('defineWorkflow', options, OPTIONS)
  const { workflows = [], tools = [], middleware = [], onApproval, permissions, clock = systemClock } = options
  const definition = parseWorkflow(workflow)
  const compiled = compileWorkflow(definition, { ...options, workflows: workflows.map(parseWorkflow) })
  const semaphore = new KeyedSemaphore(parallelLimitOf(definition))
  const agents = new Map<string, Agent>()
  const stepTools = [createStepAgent(compiled), createStepRunTool(agentAt), stepApproval, stepEnd]

  function agentAt(place: string): Agent {
    const run = compiled.runs.get(place)
    // The place comes from a call of this definition, so a missing run is a bug.
    if (run === undefined) throw new Error(`the workflow has no child run at '${place}'`)
    const agent = agents.get(place) ?? agentOf(run, { variables: ['at', 'scope'] })
    agents.set(place, agent)
    return agent
  }

  function agentOf(run: StepRun, inputs: Inputs, fields: Partial<Agent> = {}): Agent {
    return {
      ...fields,
      name: run.depth === 0 ? definition.name : `${definition.name}/${run.place}`,
      // The workflow model reads the values of the run from its instructions.
      instructions: { template: '{{user_variables}}', ...inputs },
      model: createWorkflowModel({ workflow: compiled, run, definition }),
      tools: [...tools, ...stepTools],
      limits: run.limits,
      // A workflow does not use the defaults of the runtime.
      onLimit: 'stop',
      toolExecution: 'parallel',
      context: 'none',
      middleware: [
        createStepMiddleware({ workflow: compiled, run, semaphore, clock }),
        ...(fields.middleware ?? []),
        ...middleware,
        outputAsData,
      ],
      onApproval,
      permissions,
    }
  }

  const { inputs = {}, description } = definition
  const variables = Object.keys(inputs)
  const required = variables.filter(name => inputs[name]?.default === undefined)
  const { filter, middleware: watch } = rejectMessages()
  const main = agentOf(
    compiled.main,
    { variables, required },
    { description, inputFilters: [filter], middleware: [watch] },
  )
  // The tool `step_end` ends the run with a `WorkflowResult`.
  keepDefinition(main, definition)
  return defineAgent(main) as Agent as TypedWorkflow<TWorkflow, PartsOf<TAgents, TTools, TWorkflows>>
}

/** The agent of a workflow. Its output has the type that the steps give it. */
type TypedWorkflow<TWorkflow extends Workflow, TParts extends Parts> = Agent<
  WorkflowResult<ResultOf<WorkflowOutput<TWorkflow, TParts>>>,
  TWorkflow['name']
>

type ResultOf<TOutput> = unknown extends TOutput ? Json : TOutput

interface PartsOf<
  TAgents extends Registry['agents'],
  TTools extends Registry['tools'],
  TWorkflows extends Registry['workflows'],
> {
  readonly agent: NonNullable<TAgents>[number]
  readonly tool: NonNullable<TTools>[number]
  readonly workflow: NonNullable<TWorkflows>[number]
  readonly policy: 'fail'
}

interface Inputs {
  readonly variables: readonly string[]
  readonly required?: readonly string[] | undefined
}
