import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTimeZone, formatInstant, instantOf, wallTimeAt, type TimeZone } from './time-zone.ts'
import { toWallTime } from './wall-time.ts'

const berlin = zone('Europe/Berlin')

function zone(name: string): TimeZone {
  const found = findTimeZone(name)
  if (found === undefined) throw new Error(name)
  return found
}

describe('time zones', () => {
  it.each([
    ['UTC', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-03-29T03:30:00+02:00'],
    ['europe/berlin', '2026-03-29T03:30:00+02:00'],
    ['America/New_York', '2026-03-28T21:30:00-04:00'],
    ['Asia/Kathmandu', '2026-03-29T07:15:00+05:45'],
    ['Pacific/Apia', '2026-03-29T14:30:00+13:00'],
    ['-03:30', '2026-03-28T22:00:00-03:30'],
  ])('shows an instant in %s as %s', (name, shown) => {
    expect(formatInstant(zone(name), Date.UTC(2026, 2, 29, 1, 30))).toBe(shown)
  })

  it('moves a time that does not exist on by the gap, and takes the first of one that comes twice', () => {
    const gap = instantOf(berlin, toWallTime(Date.UTC(2026, 2, 29, 2, 30)))
    expect(formatInstant(berlin, gap)).toBe('2026-03-29T03:30:00+02:00')
    const twice = instantOf(berlin, toWallTime(Date.UTC(2026, 9, 25, 2, 30)))
    expect(formatInstant(berlin, twice)).toBe('2026-10-25T02:30:00+02:00')
  })

  it('knows no zone of a made-up name', () => {
    expect(findTimeZone('Mars/Olympus')).toBeUndefined()
    expect(findTimeZone('')).toBeUndefined()
  })

  it('comes back from the wall to the instant, or to the earlier of two', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Tehran'].map(zone)
    const instants = fc.integer({ min: Date.UTC(1950, 0), max: Date.UTC(2090, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (place, instant) => {
        const back = instantOf(place, wallTimeAt(place, instant))
        expect(wallTimeAt(place, back)).toEqual(wallTimeAt(place, instant))
        expect(back).toBeLessThanOrEqual(instant)
      }),
      { numRuns: 500 },
    )
  })
})
