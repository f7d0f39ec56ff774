import { defineTool, ParleyError, toolOk, type Json, type Tool } from '@parley/core'
import type { Agent } from '@parley/engine'
import { placeOf, stepOfCall } from '../compile/step-id.ts'
import { STEP_TOOLS } from '../compile/plan.ts'
import { isObject, toText } from '../template/json.ts'
import { agentFailed, WHOLE_RUN_MS } from './step-agent.ts'

/** Characters of an output in the text of its result. The full output is structured data. */
const SHOWN = 200

/** Creates the tool of steps that run in a child run. `agentAt` returns the agent of a place. */
export function createStepRunTool(agentAt: (place: string) => Agent): Tool {
  return defineTool({
    name: STEP_TOOLS.run,
    description: 'Runs steps of the workflow in a child run.',
    input: {
      type: 'object',
      properties: { workflow: { type: 'string' }, scope: { type: 'object' } },
      required: ['scope'],
      additionalProperties: false,
    },
    effect: 'idempotent',
    timeoutMs: WHOLE_RUN_MS,
    async execute(given, { callId, delegate }) {
      const at = stepOfCall(callId)
      const agent = agentAt(placeOf(at))
      if (delegate === undefined) throw new ParleyError({ code: 'agent-unknown', agent: agent.name, known: [] })
      const { scope } = given as { readonly scope: Json }
      const result = await delegate({ agent, input: `Step ${at}`, variables: { at, scope } })
      if (result.status === 'failed') throw new ParleyError(result.error)
      if (result.status !== 'completed') throw agentFailed(agent.name, result)
      const { result: output = null, failures = [] } = isObject(result.output) ? result.output : {}
      return toolOk(preview(output), { result: output, failures })
    },
  })
}

function preview(output: Json): string {
  const text = toText(output)
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).toWellFormed()}…`
}
