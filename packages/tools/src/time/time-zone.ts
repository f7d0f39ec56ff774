import { formatClock, formatDate, toWallTime, wallMs, type WallTime } from './wall-time.ts'

/** The rules of one time zone, with its changes of the clock. */
export interface TimeZone {
  /** As the platform spells it: `Europe/Berlin`. */
  readonly name: string
  /** How far the clock on the wall is ahead of UTC at an instant, in milliseconds. */
  offsetAt(instant: number): number
}

const zones = new Map<string, TimeZone>()

/** The zone of an IANA name (any case) or a fixed offset such as `+02:00`; undefined when there is none. */
export function findTimeZone(name: string): TimeZone | undefined {
  const format = formatterOf(name)
  if (format === undefined) return undefined
  const canonical = format.resolvedOptions().timeZone
  let zone = zones.get(canonical)
  if (zone === undefined) {
    zone = { name: canonical, offsetAt: instant => offsetOf(format, instant) }
    zones.set(canonical, zone)
  }
  return zone
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}

function offsetOf(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const field = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? '0')
  const year = field('year')
  const wall = wallMs({
    year: parts.get('era')?.startsWith('B') === true ? 1 - year : year,
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
    ms: 0,
  })
  // The parts carry whole seconds.
  return wall - Math.floor(instant / 1000) * 1000
}

export function wallTimeAt(zone: TimeZone, instant: number): WallTime {
  return toWallTime(instant + zone.offsetAt(instant))
}

/**
 * The instant at which the wall shows `wall`. A time that a change of the clock skips is moved on by the skipped
 * span; of one that comes twice, the first is meant.
 */
export function instantOf(zone: TimeZone, wall: WallTime): number {
  const local = wallMs(wall)
  const day = 86_400_000
  const before = zone.offsetAt(local - day)
  const after = zone.offsetAt(local + day)
  const fitting = [local - before, local - after].filter(instant => instant + zone.offsetAt(instant) === local)
  return fitting.length === 0 ? local - before : Math.min(...fitting)
}

/** `2026-11-20T14:08:45+01:00`. */
export function formatInstant(zone: TimeZone, instant: number): string {
  const wall = wallTimeAt(zone, instant)
  return `${formatDate(wall)}T${formatClock(wall)}${formatOffset(zone.offsetAt(instant))}`
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z'
  // Offsets of the 19th century had seconds; ISO 8601 has no place for them.
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
