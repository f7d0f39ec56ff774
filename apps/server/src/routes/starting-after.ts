import type { Context } from 'hono'
import { Problem } from '../problem/problem.ts'

/**
 * The number of the last event a reader has seen: in the query, or as browsers send it; -1 for one that has seen none.
 * @throws Problem 400.
 */
export function startingAfter(context: Context): number {
  const text = context.req.query('starting_after') ?? context.req.header('last-event-id') ?? '-1'
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text)
  throw new Problem(400, 'INVALID_PARAMETER', { message: 'starting_after: must be the number of an event' })
}
