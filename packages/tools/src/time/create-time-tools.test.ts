import { describe, expect, it } from 'vitest'
import { callTool, type CallResult } from '../__fixtures__/call-tool.ts'
import { createTimeTools } from './create-time-tools.ts'

const tools = createTimeTools({ now: () => Date.UTC(2026, 10, 20, 13, 8, 45, 120) })

function dateMath(input: Readonly<Record<string, unknown>>): Promise<CallResult> {
  return callTool(tools, 'date_math', input)
}

describe('current_time', () => {
  it('current_time reads the given clock and uses UTC unless a time zone is given', async () => {
    expect((await callTool(tools, 'current_time', {})).text).toBe('2026-11-20T13:08:45.120Z (Friday, UTC)')
    const { outcome } = await callTool(tools, 'current_time', { timeZone: 'Asia/Tokyo' })
    expect(outcome).toMatchObject({
      structured: { local: '2026-11-20T22:08:45.120+09:00', utc: '2026-11-20T13:08:45.120Z', timeZone: 'Asia/Tokyo' },
    })
  })

  it('current_time answers an unknown time zone with how to name one', async () => {
    const { ok, text } = await callTool(tools, 'current_time', { timeZone: 'Berlin' })
    expect(ok).toBe(false)
    expect(text).toContain("no time zone 'Berlin'. Use an IANA name such as 'Europe/Berlin'")
  })
})

describe('date_math add', () => {
  it.each([
    [{ start: '2026-01-31', months: 1 }, '2026-02-28'],
    [{ start: '2024-02-29', years: 1 }, '2025-02-28'],
    [{ start: '2026-03-31', months: -1 }, '2026-02-28'],
    [{ start: '2026-11-20', weeks: 2, days: -1 }, '2026-12-03'],
    [{ start: '0099-12-31', days: 1 }, '0100-01-01'],
    [{ start: '2026-11-20', hours: 25 }, '2026-11-21T01:00:00Z'],
    [{ start: '2026-11-20T10:00', minutes: 90 }, '2026-11-20T11:30:00Z'],
    [{ start: '2026-11-20T10:00:00.250+02:00', seconds: 1 }, '2026-11-20T08:00:01.250Z'],
    // In Berlin, the clock moves from 02:00 to 03:00 on 29 March 2026, and back on 25 October.
    [{ start: '2026-03-28T12:00', days: 1, timeZone: 'Europe/Berlin' }, '2026-03-29T12:00:00+02:00'],
    [{ start: '2026-03-28T12:00', hours: 24, timeZone: 'Europe/Berlin' }, '2026-03-29T13:00:00+02:00'],
    [{ start: '2026-03-28T02:30', days: 1, timeZone: 'Europe/Berlin' }, '2026-03-29T03:30:00+02:00'],
    [{ start: '2026-10-25T02:30:00+02:00', hours: 1, timeZone: 'Europe/Berlin' }, '2026-10-25T02:30:00+01:00'],
    [{ start: '2026-10-24', days: 2, timeZone: 'Europe/Berlin' }, '2026-10-26'],
  ])('date_math add with %j returns %s', async (input, result) => {
    const { outcome } = await dateMath({ operation: 'add', ...input })
    expect(outcome).toMatchObject({ type: 'ok', structured: { result } })
  })
})

describe('date_math difference', () => {
  it.each([
    [
      { start: '2026-03-28', end: '2026-03-30', timeZone: 'Europe/Berlin' },
      { totalHours: 47, calendarDays: 2, calendar: { years: 0, months: 0, days: 2, hours: 0 } },
    ],
    [
      { start: '2024-02-29', end: '2026-11-20T06:30' },
      { calendarDays: 995, calendar: { years: 2, months: 8, days: 22, hours: 6, minutes: 30 } },
    ],
    [
      { start: '2026-11-20', end: '2026-10-19' },
      { totalHours: -768, calendarDays: -32, calendar: { years: 0, months: -1, days: -1 } },
    ],
    [
      { start: '2026-01-31', end: '2026-03-01' },
      { calendarDays: 29, calendar: { months: 1, days: 1 } },
    ],
    [
      { start: '2026-11-20T12:00+01:00', end: '2026-11-20T11:00Z' },
      { totalSeconds: 0, calendarDays: 0 },
    ],
  ])('date_math difference with %j returns %j', async (input, structured) => {
    const { outcome } = await dateMath({ operation: 'difference', ...input })
    expect(outcome).toMatchObject({ type: 'ok', structured })
  })
})

describe('date_math', () => {
  it.each([
    [{ operation: 'add', start: '2026-02-30', days: 1 }, '2026-02 has 28 days, not 30'],
    [{ operation: 'add', start: '2026-13-01', days: 1 }, 'no month 13'],
    [{ operation: 'add', start: '2026-01-01T24:00', days: 1 }, 'time of day'],
    [{ operation: 'add', start: '0000-01-01', days: 1 }, 'year 0000'],
    [{ operation: 'add', start: 'tomorrow', days: 1 }, 'Write 2026-11-20'],
    [{ operation: 'add', start: '20.11.2026', days: 1 }, 'is not a date'],
    [{ operation: 'add', start: '2026-01-01T10:00+19:00', days: 1 }, '+19:00 does not exist'],
    [{ operation: 'add', start: '2026-01-01' }, 'at least one of years'],
    [{ operation: 'add', start: '2026-01-01', end: '2026-01-02', days: 1 }, "'add' takes no 'end'"],
    [{ operation: 'add', start: '2026-01-01', years: 9_000 }, 'outside the years'],
    [{ operation: 'add', start: '2026-01-01', days: 100_000_000_000 }, 'outside the years'],
    [{ operation: 'add', start: '2026-01-01', hours: -100_000_000_000 }, 'outside the years'],
    [{ operation: 'add', start: '2026-01-01', days: 1, timeZone: 'X/Y' }, "no time zone 'X/Y'"],
    [{ operation: 'difference', start: '2026-01-01' }, "needs 'end'"],
    [{ operation: 'difference', start: '2026-01-01', end: '2026-01-02', days: 1 }, "takes no 'days'"],
    [{ operation: 'difference', start: '2026-01-01', end: 'x' }, "'x' is not a date"],
  ])('date_math answers %j with what to do instead', async (input, words) => {
    const { ok, text } = await dateMath(input)
    expect(ok).toBe(false)
    expect(text).toContain(words)
  })
})
