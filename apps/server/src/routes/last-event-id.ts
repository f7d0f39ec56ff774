import type { Context } from 'hono'
import { invalidParameter } from '../problem/problem.ts'

/**
 * Reads the number of the last event that a reader has. It is in the query, or in the header `Last-Event-ID` that browsers
 * send. -1 if the reader has no event.
 * @throws Problem 400 if the number is invalid.
 */
export function lastEventId(context: Context): number {
  const text = context.req.query('starting_after') ?? context.req.header('last-event-id') ?? '-1'
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text)
  throw invalidParameter('starting_after: must be the number of an event')
}
