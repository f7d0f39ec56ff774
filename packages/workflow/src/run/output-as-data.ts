import { defineMiddleware, toolError, toolOk, type Json, type Middleware, type ToolOutcome } from '@parley/core'
import { STEP_TOOLS } from '../compile/plan.ts'

/**
 * The innermost middleware: adds the output of a step to its result as structured data. So the model does not parse result texts, and
 * middleware around it may change them.
 */
export const outputAsData: Middleware = defineMiddleware('workflow-output', () => ({
  tool: async (call, next) => toData(await next(call), call.tool.name),
}))

function toData(outcome: ToolOutcome, tool: string): ToolOutcome {
  switch (outcome.type) {
    case 'ok':
      if (outcome.structured !== undefined || !('value' in outcome)) return outcome
      return toolOk(outcome.content, plain(outcome.value))
    case 'answer':
      return tool === STEP_TOOLS.end ? outcome : toolOk(outcome.content, outcome.output)
    case 'handoff':
      return toolError(`'${tool}' hands over to another agent, which a step of a workflow cannot do.`)
    case 'error':
    case 'ask':
    case 'pending':
      return outcome
  }
}

function plain(value: unknown): Json {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? null : (JSON.parse(text) as Json)
}
