import { wallTimeAt, type TimeZone } from './time-zone.ts'
import { addMonths, wallMs } from './wall-time.ts'

/** How far apart two instants are, in several ways. All parts have the same sign. */
export interface Difference {
  /** Elapsed time, as a stopwatch counts it. */
  readonly totalSeconds: number
  readonly totalHours: number
  /** Midnights between the two dates on the calendar of the zone. */
  readonly calendarDays: number
  /** The same distance on the calendar and clock of the zone: so many years, then months, then days … */
  readonly calendar: {
    readonly years: number
    readonly months: number
    readonly days: number
    readonly hours: number
    readonly minutes: number
    readonly seconds: number
  }
}

const DAY = 86_400_000

export function differenceOf(zone: TimeZone, start: number, end: number): Difference {
  const sign = end < start ? -1 : 1
  const [low, high] = sign < 0 ? [end, start] : [start, end]
  const from = wallTimeAt(zone, low)
  const to = wallTimeAt(zone, high)
  const [fromMs, toMs] = [wallMs(from), wallMs(to)]
  const estimate = (to.year - from.year) * 12 + to.month - from.month
  const months = wallMs(addMonths(from, estimate)) > toMs ? estimate - 1 : estimate
  // The wall may be set back between the two, which can leave less than nothing.
  const rest = Math.max(0, toMs - wallMs(addMonths(from, Math.max(0, months))))
  const signed = (value: number): number => (value === 0 ? 0 : sign * value)
  return {
    totalSeconds: (end - start) / 1000,
    totalHours: (end - start) / 3_600_000,
    calendarDays: signed(Math.floor(toMs / DAY) - Math.floor(fromMs / DAY)),
    calendar: {
      years: signed(Math.floor(Math.max(0, months) / 12)),
      months: signed(Math.max(0, months) % 12),
      days: signed(Math.floor(rest / DAY)),
      hours: signed(Math.floor((rest % DAY) / 3_600_000)),
      minutes: signed(Math.floor((rest % 3_600_000) / 60_000)),
      seconds: signed((rest % 60_000) / 1000),
    },
  }
}
