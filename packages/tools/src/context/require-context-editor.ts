import { ParleyError, type ContextEditor, type ToolContext } from '@parley/core'

/** @throws ParleyError `tool-failed` where nobody's context can be edited. */
export function requireContextEditor({ contextEditor }: ToolContext): ContextEditor {
  if (contextEditor !== undefined) return contextEditor
  const detail = 'no run is under way here whose context it could change. Go on without it.'
  throw new ParleyError({ code: 'tool-failed', tool: 'context', detail })
}
