import { failTime } from './fail-time.ts'
import { findTimeZone, type TimeZone } from './time-zone.ts'

export function requireTimeZone(tool: Parameters<typeof failTime>[0], name: string): TimeZone {
  return (
    findTimeZone(name) ??
    failTime(
      tool,
      `There is no time zone '${name.slice(0, 60)}'. Use an IANA name such as 'Europe/Berlin', 'America/New_York' or 'UTC'.`,
    )
  )
}
