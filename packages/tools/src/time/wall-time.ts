/** What calendar and clock on the wall show, without a time zone. Months count from 1. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

/** A number that orders wall times and counts their milliseconds as if no clock were ever changed. */
export function wallMs({ year, month, day, hour, minute, second, ms }: WallTime): number {
  const date = new Date(0)
  // Unlike Date.UTC, this takes the years 0 to 99 as they are.
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, ms)
}

export function toWallTime(wall: number): WallTime {
  const date = new Date(wall)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    ms: date.getUTCMilliseconds(),
  }
}

export function daysInMonth(year: number, month: number): number {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && leap ? 29 : (lengths[month - 1] ?? 0)
}

/** Moves by whole months; a day the month does not have becomes its last one. */
export function addMonths(wall: WallTime, months: number): WallTime {
  const count = wall.year * 12 + wall.month - 1 + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return { ...wall, year, month, day: Math.min(wall.day, daysInMonth(year, month)) }
}

/** `2026-11-20`. */
export function formatDate({ year, month, day }: WallTime): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** `13:08:45`, with milliseconds when there are any. */
export function formatClock({ hour, minute, second, ms }: WallTime): string {
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`
  return `${two(hour)}:${two(minute)}:${two(second)}${fraction}`
}

export function weekdayOf(wall: WallTime): string {
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  return names[new Date(wallMs(wall)).getUTCDay()] ?? ''
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
