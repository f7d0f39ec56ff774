import type { Temporal } from 'temporal-polyfill'
import { failTime } from './fail-time.ts'

/**
 * Finds the platform's id of a time zone. Takes an IANA name in any case (`europe/berlin`) or an offset (`+02:00`).
 * @returns `undefined` if the platform does not know the name.
 */
export function findTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Returns the platform's id of a time zone. @throws ParleyError `tool-failed` if the platform does not know the name. */
export function requireTimeZone(tool: Parameters<typeof failTime>[0], name: string): string {
  return (
    findTimeZone(name) ??
    failTime(
      tool,
      `There is no time zone '${name.slice(0, 60)}'. Use an IANA name such as 'Europe/Berlin', 'America/New_York' or 'UTC'.`,
    )
  )
}

/** Formats like `2026-11-20T14:08:45+01:00`, with `Z` for UTC, and with milliseconds unless they are 0. */
export function formatMoment(moment: Temporal.ZonedDateTime): string {
  const text = moment.toString({ timeZoneName: 'never', fractionalSecondDigits: moment.millisecond === 0 ? 0 : 3 })
  return moment.offsetNanoseconds === 0 ? text.replace(/\+00:00$/, 'Z') : text
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Returns the English name of the weekday on the calendar of the moment's time zone. */
export function weekdayOf({ dayOfWeek }: Temporal.ZonedDateTime): string {
  return WEEKDAYS[dayOfWeek - 1] ?? ''
}
