import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { differenceOf } from './difference.ts'
import { failTime } from './fail-time.ts'
import { parseMoment, type Moment } from './parse-moment.ts'
import { shiftMoment, type Shift } from './shift-moment.ts'
import { formatMoment, requireTimeZone, weekdayOf } from './time-zone.ts'

const amount = { type: 'integer', minimum: -100_000_000_000, maximum: 100_000_000_000 } as const

const input = {
  type: 'object',
  properties: {
    operation: { enum: ['add', 'difference'], description: "'add' moves start; 'difference' compares start and end." },
    start: {
      type: 'string',
      description: "ISO 8601 date or date and time, e.g. '2026-11-20' or '2026-11-20T13:08:45+01:00'.",
    },
    end: { type: 'string', description: "For 'difference': the other date, in the same format." },
    years: amount,
    months: amount,
    weeks: amount,
    days: amount,
    hours: amount,
    minutes: amount,
    seconds: { ...amount, description: "For 'add': any of years to seconds, negative to go back." },
    timeZone: { type: 'string', description: 'IANA name; for dates without an offset and for results. Default: UTC.' },
  },
  required: ['operation', 'start'],
  additionalProperties: false,
} as const

type DateMathInput = InferInput<typeof input>

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const
/** Milliseconds since the epoch of the first and the last instant of the years 0001 to 9999. */
const [EARLIEST, LATEST] = [-62_135_596_800_000, 253_402_300_799_999]

/** The tool `date_math`, which moves a date or compares two. */
export function dateMathTool(): Tool<DateMathInput, ToolOutcome> {
  return defineReadTool({
    name: 'date_math',
    description:
      'Adds years, months, weeks, days, hours, minutes or seconds to a date, or tells how far apart two dates are. ' +
      'Years to days keep the local time of day over daylight-saving changes; hours to seconds are elapsed time.',
    input,
    execute: given => (given.operation === 'add' ? add(given) : compare(given)),
  })
}

function add(given: DateMathInput): ToolOutcome {
  const { start, end, timeZone = 'UTC' } = given
  if (end !== undefined) failTime('date_math', "'add' takes no 'end'. For the time between two dates use 'difference'.")
  const named = UNITS.filter(unit => given[unit] !== undefined)
  if (named.length === 0) failTime('date_math', `'add' needs at least one of ${UNITS.join(', ')}.`)
  const zone = requireTimeZone('date_math', timeZone)
  const { at, dateOnly } = requireMoment(start, zone)
  const shift = Object.fromEntries(UNITS.map(unit => [unit, given[unit] ?? 0])) as unknown as Shift
  const moved = shiftMoment(at, shift)
  if (moved === undefined || moved.epochMilliseconds < EARLIEST || moved.epochMilliseconds > LATEST) {
    return failTime('date_math', 'The result is outside the years 0001 to 9999. Add less.')
  }
  const wholeDays = dateOnly && !named.some(unit => unit === 'hours' || unit === 'minutes' || unit === 'seconds')
  const result = wholeDays ? moved.toPlainDate().toString() : formatMoment(moved)
  const weekday = weekdayOf(moved)
  return toolOk(`${result} (${weekday}, ${zone})`, { result, weekday, timeZone: zone })
}

function compare(given: DateMathInput): ToolOutcome {
  const { start, end, timeZone = 'UTC' } = given
  if (end === undefined) return failTime('date_math', "'difference' needs 'end', the date to compare 'start' with.")
  const extra = UNITS.find(unit => given[unit] !== undefined)
  if (extra !== undefined) failTime('date_math', `'difference' takes no '${extra}'. To move a date use 'add'.`)
  const zone = requireTimeZone('date_math', timeZone)
  const difference = differenceOf(requireMoment(start, zone).at, requireMoment(end, zone).at)
  const { totalHours, totalSeconds, calendarDays, calendar } = difference
  const parts = Object.entries(calendar).flatMap(([unit, value]) => (value === 0 ? [] : [`${value} ${unit}`]))
  const text = [
    `On the calendar of ${zone}: ${parts.length === 0 ? 'no difference' : parts.join(', ')} (${calendarDays} calendar days).`,
    `Elapsed: ${Number(totalHours.toFixed(6))} hours = ${totalSeconds} seconds.`,
  ]
  return toolOk(text.join('\n'), { totalHours, totalSeconds, calendarDays, calendar: { ...calendar } })
}

function requireMoment(text: string, timeZone: string): Moment {
  const moment = parseMoment(text, timeZone)
  return typeof moment === 'string' ? failTime('date_math', moment) : moment
}
