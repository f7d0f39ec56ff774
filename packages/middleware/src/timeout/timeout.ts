import {
  checkOptions,
  defineMiddleware,
  systemClock,
  checkNumber,
  type Clock,
  type Middleware,
  type OptionKinds,
} from '@parley/core'
import { toolDeadline } from './tool-deadline.ts'
import { modelDeadlines, type ModelDeadlines } from './model-deadlines.ts'

export interface TimeoutOptions extends ModelDeadlines {
  /**
   * Deadline of a tool call in milliseconds, including the time of inner middleware. One number, or one for each named
   * tool. @default none
   */
  readonly toolMs?: number | Readonly<Record<string, number>> | undefined
  /** Source of time and timers. @default systemClock */
  readonly clock?: Clock | undefined
}

const OPTIONS: OptionKinds<TimeoutOptions> = {
  toolMs: 'number or object',
  clock: 'clock',
  modelMs: 'number',
  firstTokenMs: 'number',
  idleMs: 'number',
}

/**
 * Sets deadlines for model calls and tool calls. A call that exceeds its deadline is aborted: a model call fails with
 * `model-timeout`, and a tool call gets the error `tool-timeout`.
 * @throws ParleyError `config-invalid` if an option is unknown or a number is invalid.
 */
export function timeout(options: TimeoutOptions): Middleware {
  checkOptions('timeout', options, OPTIONS)
  const { modelMs, firstTokenMs, idleMs, toolMs, clock = systemClock } = options
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
