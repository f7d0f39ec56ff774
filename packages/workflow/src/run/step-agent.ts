import {
  defineTool,
  describeIncomplete,
  ParleyError,
  toolOk,
  type DelegateResult,
  type IncompleteDelegate,
  type Json,
  type Tool,
  type ToolOutcome,
} from '@parley/core'
import type { CompiledWorkflow } from '../compile/step-run.ts'
import { placeOf, stepOfCall } from '../compile/step-id.ts'
import { STEP_TOOLS } from '../compile/plan.ts'

/** Timeout of tools that start a child run. The run has its own limits, so tool timeouts must not apply. */
export const WHOLE_RUN_MS = 0x7fffffff

interface AgentCall {
  readonly agent: string
  readonly prompt: string
  readonly variables?: Readonly<Record<string, Json>> | undefined
}

/** Creates the tool of agent steps. After a crash it resumes the agent's child run. */
export function createStepAgent(workflow: CompiledWorkflow): Tool {
  return defineTool({
    name: STEP_TOOLS.agent,
    description: 'Runs an agent for a step of the workflow.',
    input: {
      type: 'object',
      properties: { agent: { type: 'string' }, prompt: { type: 'string' }, variables: { type: 'object' } },
      required: ['agent', 'prompt'],
      additionalProperties: false,
    },
    effect: 'idempotent',
    timeoutMs: WHOLE_RUN_MS,
    async execute(given, { callId, delegate }) {
      const { agent: name, prompt, variables } = given as AgentCall
      const agent = workflow.agents.get(placeOf(stepOfCall(callId))) ?? name
      if (delegate === undefined) throw new ParleyError({ code: 'agent-unknown', agent: name, known: [] })
      return toOutcome(name, await delegate({ agent, input: prompt, variables }))
    },
  })
}

/** Finish reasons of an incomplete answer. */
const BROKEN: readonly string[] = ['length', 'content-filter', 'refusal', 'error']

function toOutcome(agent: string, result: DelegateResult): ToolOutcome {
  if (result.status !== 'completed') throw agentFailed(agent, result)
  const { runId, text, output } = result
  if (output !== undefined) return toolOk(JSON.stringify(output), output)
  if (!BROKEN.includes(result.finish)) return toolOk(text)
  const detail = `Its answer ended early (${result.finish}).`
  throw new ParleyError({ code: 'run-failed', agent, runId, status: 'failed', detail })
}

/** The step's error for a child run that did not complete. */
export function agentFailed(agent: string, result: IncompleteDelegate): ParleyError {
  const { runId, status } = result
  return new ParleyError({ code: 'run-failed', agent, runId, status, detail: describeIncomplete(result) })
}
