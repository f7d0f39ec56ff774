import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { Temporal } from 'temporal-polyfill'
import { defineReadTool } from '../define-built-in.ts'
import { formatMoment, requireTimeZone, weekdayOf } from './time-zone.ts'

/** The tool `current_time`, which returns the current date and time in a time zone. */
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
    execute: ({ timeZone: name = 'UTC' }) => {
      const timeZone = requireTimeZone('current_time', name)
      const instant = Temporal.Instant.fromEpochMilliseconds(now())
      const moment = instant.toZonedDateTimeISO(timeZone)
      const [local, utc, weekday] = [
        formatMoment(moment),
        new Date(instant.epochMilliseconds).toISOString(),
        weekdayOf(moment),
      ]
      return toolOk(`${local} (${weekday}, ${timeZone})`, { local, utc, weekday, timeZone })
    },
  })
}
