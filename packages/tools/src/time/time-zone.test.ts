import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, it } from 'vitest'
import { parseMoment, type Moment } from './parse-moment.ts'
import { findTimeZone, formatMoment, requireTimeZone } from './time-zone.ts'

function momentAt(epochMs: number, name: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(requireTimeZone('date_math', name))
}

function localTime(text: string, timeZone: string): Temporal.ZonedDateTime {
  return (parseMoment(text, timeZone) as Moment).at
}

it.each([
  ['UTC', '2026-03-29T01:30:00Z'],
  ['Europe/Berlin', '2026-03-29T03:30:00+02:00'],
  ['europe/berlin', '2026-03-29T03:30:00+02:00'],
  ['America/New_York', '2026-03-28T21:30:00-04:00'],
  ['Asia/Kathmandu', '2026-03-29T07:15:00+05:45'],
  ['Pacific/Apia', '2026-03-29T14:30:00+13:00'],
  ['-03:30', '2026-03-28T22:00:00-03:30'],
])('formatMoment shows an instant in the time zone %s as %s', (name, shown) => {
  expect(formatMoment(momentAt(Date.UTC(2026, 2, 29, 1, 30), name))).toBe(shown)
})

it('parseMoment moves a local time that does not exist forward by the gap, and takes the first of one that occurs twice', () => {
  expect(formatMoment(localTime('2026-03-29T02:30', 'Europe/Berlin'))).toBe('2026-03-29T03:30:00+02:00')
  expect(formatMoment(localTime('2026-10-25T02:30', 'Europe/Berlin'))).toBe('2026-10-25T02:30:00+02:00')
})

it('findTimeZone returns undefined for an unknown name', () => {
  expect(findTimeZone('Mars/Olympus')).toBeUndefined()
  expect(findTimeZone('')).toBeUndefined()
})

it('parseMoment turns the local time of an instant back into that instant, or into the earlier of two', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran']
  const instants = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2090, 0) })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      const local = momentAt(instant, zone).toPlainDateTime()
      const back = localTime(local.toString(), zone)
      expect(back.toPlainDateTime().equals(local)).toBe(true)
      expect(back.epochMilliseconds).toBeLessThanOrEqual(instant)
    }),
    { numRuns: 500 },
  )
})
