import type { Temporal } from 'temporal-polyfill'

/** The distance to move. All fields are integers; negative ones move back. */
export interface Shift {
  readonly years: number
  readonly months: number
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

/**
 * Moves first by calendar units, which keep the local time of day over a clock change. Then moves by hours, minutes and
 * seconds, which are elapsed time.
 * @returns `undefined` if the result, or a step on the way, is beyond the dates that `Temporal` supports.
 */
export function shiftMoment(moment: Temporal.ZonedDateTime, shift: Shift): Temporal.ZonedDateTime | undefined {
  // Summed by kind, because a Temporal.Duration cannot hold fields of different signs.
  const months = shift.years * 12 + shift.months
  const days = shift.weeks * 7 + shift.days
  const seconds = (shift.hours * 60 + shift.minutes) * 60 + shift.seconds
  try {
    if (months === 0 && days === 0) return moment.add({ seconds })
    const local = moment.toPlainDateTime().add({ months }).add({ days })
    return local.toZonedDateTime(moment.timeZoneId).add({ seconds })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
