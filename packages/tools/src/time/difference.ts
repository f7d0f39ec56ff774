import { Temporal } from 'temporal-polyfill'

/** The distance between two moments, in several units. All parts have the same sign. */
export interface Difference {
  /** Elapsed time, as a stopwatch counts it. */
  readonly totalSeconds: number
  readonly totalHours: number
  /** Midnights between the two dates on the calendar of the time zone. */
  readonly calendarDays: number
  /** The same distance on the local calendar and clock: years, then the remaining months, days, hours and so on. */
  readonly calendar: {
    readonly years: number
    readonly months: number
    readonly days: number
    readonly hours: number
    readonly minutes: number
    readonly seconds: number
  }
}

/** Compares two moments in the time zone of `start`. */
export function differenceOf(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): Difference {
  const elapsedMs = end.epochMilliseconds - start.epochMilliseconds
  const sign = elapsedMs < 0 ? -1 : 1
  const [from, to] = elapsedMs < 0 ? [localOf(end), localOf(start)] : [localOf(start), localOf(end)]
  const months = wholeMonths(from, to)
  const rest = from.add({ months }).until(to, { largestUnit: 'days' })
  // A clock that was set back between the two can show less at the end than at the start.
  const { days, hours, minutes, seconds, milliseconds } = rest.sign < 0 ? new Temporal.Duration() : rest
  const signed = (value: number): number => (value === 0 ? 0 : sign * value)
  return {
    totalSeconds: elapsedMs / 1000,
    totalHours: elapsedMs / 3_600_000,
    calendarDays: signed(from.toPlainDate().until(to.toPlainDate()).days),
    calendar: {
      years: signed(Math.floor(months / 12)),
      months: signed(months % 12),
      days: signed(days),
      hours: signed(hours),
      minutes: signed(minutes),
      seconds: signed((seconds * 1000 + milliseconds) / 1000),
    },
  }
}

function localOf(moment: Temporal.ZonedDateTime): Temporal.PlainDateTime {
  return moment.toPlainDateTime()
}

/** Counts from 31 January to 28 February as one month, which `Temporal`'s own `until` does not. */
function wholeMonths(from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): number {
  const estimate = (to.year - from.year) * 12 + to.month - from.month
  const isTooFar = Temporal.PlainDateTime.compare(from.add({ months: estimate }), to) > 0
  return Math.max(0, isTooFar ? estimate - 1 : estimate)
}
