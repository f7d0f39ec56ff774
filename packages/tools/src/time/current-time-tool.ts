import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-read-tool.ts'
import { requireTimeZone } from './require-time-zone.ts'
import { formatInstant, wallTimeAt } from './time-zone.ts'
import { weekdayOf } from './wall-time.ts'

/** The tool `current_time`, on the given clock. */
export function currentTimeTool(now: () => number): Tool<{ readonly timeZone?: string | undefined }, ToolOutcome> {
  return defineReadTool({
    name: 'current_time',
    description: 'Tells the current date, time and weekday, in UTC or in a time zone.',
    input: {
      type: 'object',
      properties: {
        timeZone: { type: 'string', description: "IANA name such as 'Europe/Berlin'. Default: UTC." },
      },
      additionalProperties: false,
    },
    execute: ({ timeZone = 'UTC' }) => {
      const zone = requireTimeZone('current_time', timeZone)
      const instant = now()
      const local = formatInstant(zone, instant)
      const weekday = weekdayOf(wallTimeAt(zone, instant))
      const utc = new Date(instant).toISOString()
      return toolOk(`${local} (${weekday}, ${zone.name})`, { local, utc, weekday, timeZone: zone.name })
    },
  })
}
