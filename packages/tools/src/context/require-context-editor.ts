import { ParleyError, type ContextEditor, type ToolContext } from '@parley/core'

/**
 * Returns the context editor of the run.
 * @throws ParleyError `tool-failed` if the tool is called outside a run, where no context can be edited.
 */
export function requireContextEditor({ contextEditor }: ToolContext): ContextEditor {
  if (contextEditor !== undefined) return contextEditor
  const detail = 'there is no run here whose context it could change. Continue without it.'
  throw new ParleyError({ code: 'tool-failed', tool: 'context', detail })
}
