import { ParleyError } from '@parley/core'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Parses an age such as `30d`. @returns Milliseconds. @throws ParleyError `config-invalid` for `--since`. */
export function toSince(text: string): number {
  const { count, unit = '' } = /^(?<count>\d{1,6})(?<unit>[mhdw])$/.exec(text)?.groups ?? {}
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (ms > 0) return ms
  const detail = `must be a number and a unit, such as 90m, 12h, 30d or 4w, not '${text}'`
  throw new ParleyError({ code: 'config-invalid', path: '--since', detail })
}
