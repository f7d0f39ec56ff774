import { checkOptions, type OptionKinds, type Tool } from '@parley/core'
import { currentTimeTool } from './current-time-tool.ts'
import { dateMathTool } from './date-math-tool.ts'

export interface TimeToolsOptions {
  /** Returns milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<TimeToolsOptions> = {
  now: 'function',
}

/**
 * Creates the tools `current_time` and `date_math`. Time zones and their clock changes come from the platform's `Intl`.
 * Dates are those of the ISO calendar, years 0001 to 9999.
 */
export function createTimeTools(options: TimeToolsOptions = {}): readonly Tool[] {
  checkOptions('createTimeTools', options, OPTIONS)
  const { now = Date.now } = options
  return [currentTimeTool(now), dateMathTool()]
}
