import { defineMiddleware, systemClock, checkNumber, type Clock, type Middleware } from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { toolDeadline } from './tool-deadline.ts'
import { modelDeadlines, type ModelDeadlines } from './model-deadlines.ts'

export interface TimeoutOptions extends ModelDeadlines {
  /** For a whole tool call, with its middleware further in; one number, or one for each tool named. @default none */
  readonly toolMs?: number | Readonly<Record<string, number>> | undefined
  readonly clock?: Clock | undefined
}

/**
 * Deadlines for model calls and tool calls. What passes one is aborted and left behind: a model call fails with
 * `model-timeout`, a tool call gets the result `tool-timeout`.
 */
export function timeout(options: TimeoutOptions): Middleware {
  const { modelMs, firstTokenMs, idleMs, toolMs, clock = systemClock } = options
  checkFields('timeout', options, ['modelMs', 'firstTokenMs', 'idleMs', 'toolMs', 'clock'])
  checkNumber({ path: 'timeout.modelMs', value: modelMs })
  checkNumber({ path: 'timeout.firstTokenMs', value: firstTokenMs })
  checkNumber({ path: 'timeout.idleMs', value: idleMs })
  const perTool = typeof toolMs === 'number' ? { '*': toolMs } : (toolMs ?? {})
  for (const [tool, value] of Object.entries(perTool)) checkNumber({ path: `timeout.toolMs.${tool}`, value })
  const deadlines = { modelMs, firstTokenMs, idleMs }
  const hasModelDeadline = modelMs !== undefined || firstTokenMs !== undefined || idleMs !== undefined
  const stages = {
    ...(hasModelDeadline && { model: modelDeadlines(clock, deadlines) }),
    ...(toolMs !== undefined && {
      tool: toolDeadline(clock, tool => (typeof toolMs === 'number' ? toolMs : ownValue(toolMs, tool))),
    }),
  }
  return defineMiddleware('timeout', () => stages)
}

function ownValue(table: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
