import type { Tool } from '@parley/core'
import { currentTimeTool } from './current-time-tool.ts'
import { dateMathTool } from './date-math-tool.ts'

export interface TimeToolsOptions {
  /** Returns milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * Creates the tools `current_time` and `date_math`. Time zones and their clock changes come from the platform's `Intl`.
 * Dates are those of the ISO calendar, years 0001 to 9999.
 */
export function createTimeTools({ now = Date.now }: TimeToolsOptions = {}): readonly Tool[] {
  return [currentTimeTool(now), dateMathTool()]
}
