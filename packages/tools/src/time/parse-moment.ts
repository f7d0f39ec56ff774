import { Temporal } from 'temporal-polyfill'

/** A point in time, and whether the text gave only a date. */
export interface Moment {
  readonly at: Temporal.ZonedDateTime
  readonly dateOnly: boolean
}

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * Reads an ISO 8601 date, or date and time. Without an offset, the text is local time in `timeZone`. If a clock
 * change skips the local time, the result moves forward by the skipped time. If a local time occurs twice, the first one counts.
 * @returns A sentence that says what is wrong if the text is invalid.
 */
export function parseMoment(text: string, timeZone: string): Moment | string {
  const match = SHAPE.exec(text.trim())
  if (match === null) {
    return `'${text.slice(0, 60)}' is not a date. Write 2026-11-20, 2026-11-20T13:08 or 2026-11-20T13:08:45+01:00.`
  }
  const [, , , , hours, , , fraction = '', offset] = match
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? '0')) as Six
  const fields = { year, month, day, hour, minute, second, millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) }
  const fault = faultOf(fields)
  if (fault !== undefined) return fault
  const dateOnly = hours === undefined
  const local = Temporal.PlainDateTime.from(fields)
  if (offset === undefined) return { at: local.toZonedDateTime(timeZone), dateOnly }
  const minutes = offsetMinutes(offset)
  if (minutes === undefined) return `The offset ${offset} does not exist; offsets reach from -18:00 to +18:00.`
  return { at: local.subtract({ minutes }).toZonedDateTime('UTC').withTimeZone(timeZone), dateOnly }
}

type Six = [number, number, number, number, number, number]

type Fields = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>

function faultOf({ year, month, day, hour, minute, second }: Fields): string | undefined {
  if (year < 1) return 'The year 0000 is not supported; years go from 0001 to 9999.'
  if (month < 1 || month > 12) return `There is no month ${month}; write year-month-day.`
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month })
  if (day < 1 || day > daysInMonth) {
    return `${year}-${String(month).padStart(2, '0')} has ${daysInMonth} days, not ${day}.`
  }
  if (hour > 23 || minute > 59 || second > 59) return 'The time of day goes from 00:00:00 to 23:59:59.'
  return undefined
}

function offsetMinutes(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '')
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2) || '0')]
  if (minutes > 59 || hours * 60 + minutes > 18 * 60) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
