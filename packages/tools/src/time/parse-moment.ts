import { instantOf, type TimeZone } from './time-zone.ts'
import { daysInMonth, wallMs, type WallTime } from './wall-time.ts'

/** A point in time, and whether it was given as a date alone. */
export interface Moment {
  readonly instant: number
  readonly dateOnly: boolean
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * Reads a date or a date and time in ISO 8601. Without an offset it is a time on the wall of `zone`.
 * @returns What is wrong with it, as a sentence, when it cannot be read.
 */
export function parseMoment(text: string, zone: TimeZone): Moment | string {
  const match = SHAPE.exec(text.trim())
  if (match === null) {
    return `'${text.slice(0, 60)}' is no date. Write 2026-11-20, 2026-11-20T13:08 or 2026-11-20T13:08:45+01:00.`
  }
  const [, , , , hours, , , fraction = '', offset] = match
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? '0')) as Six
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wall: WallTime = { year, month, day, hour, minute, second, ms }
  const fault = faultOf(wall)
  if (fault !== undefined) return fault
  const dateOnly = hours === undefined
  if (offset === undefined) return { instant: instantOf(zone, wall), dateOnly }
  const shift = offsetMs(offset)
  if (shift === undefined) return `The offset ${offset} does not exist; offsets reach from -18:00 to +18:00.`
  return { instant: wallMs(wall) - shift, dateOnly }
}

type Six = [number, number, number, number, number, number]

function faultOf({ year, month, day, hour, minute, second }: WallTime): string | undefined {
  if (year < 1) return 'The year 0000 is not supported; years go from 0001 to 9999.'
  if (month < 1 || month > 12) return `There is no month ${month}; write year-month-day.`
  const days = daysInMonth(year, month)
  if (day < 1 || day > days) return `${year}-${String(month).padStart(2, '0')} has ${days} days, not ${day}.`
  if (hour > 23 || minute > 59 || second > 59) return 'The time of day goes from 00:00:00 to 23:59:59.'
  return undefined
}

function offsetMs(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || '0')]
  if (minutes > 59 || hours * 60 + minutes > 18 * 60) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
