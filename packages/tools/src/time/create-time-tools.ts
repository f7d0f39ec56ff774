import type { Tool } from '@parley/core'
import { currentTimeTool } from './current-time-tool.ts'
import { dateMathTool } from './date-math-tool.ts'

export interface TimeToolsOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * The tools `current_time` and `date_math`. Time zones and their changes of the clock come from the platform's
 * `Intl`; dates are those of the ISO calendar, years 0001 to 9999.
 */
export function createTimeTools({ now = Date.now }: TimeToolsOptions = {}): readonly Tool[] {
  return [currentTimeTool(now), dateMathTool()]
}
