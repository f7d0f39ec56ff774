import { instantOf, wallTimeAt, type TimeZone } from './time-zone.ts'
import { addMonths, toWallTime, wallMs } from './wall-time.ts'

/** How far to move: whole numbers, negative to go back. */
export interface Shift {
  readonly years: number
  readonly months: number
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

const DAY = 86_400_000
/** Within the range of `Date`, with room for any offset. */
const FARTHEST = 8.64e15 - 10 * DAY

/**
 * Moves first by calendar units, which keep the time on the wall over a change of the clock, then by hours,
 * minutes and seconds, which are elapsed time. NaN when that leads beyond all dates.
 */
export function shiftInstant(zone: TimeZone, instant: number, shift: Shift): number {
  const months = shift.years * 12 + shift.months
  const days = shift.weeks * 7 + shift.days
  const elapsed = ((shift.hours * 60 + shift.minutes) * 60 + shift.seconds) * 1000
  if (months === 0 && days === 0) return instant + elapsed
  const moved = wallMs(addMonths(wallTimeAt(zone, instant), months)) + days * DAY
  if (!(Math.abs(moved) < FARTHEST)) return Number.NaN
  return instantOf(zone, toWallTime(moved)) + elapsed
}
