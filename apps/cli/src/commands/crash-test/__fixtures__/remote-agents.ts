import { ledger } from '@parley/evals/crash-test'
import { tool, using } from './kit-parts.ts'

const url = process.env['CHARGES_URL'] ?? ''

async function post(key: string): Promise<string> {
  await fetch(url, { method: 'POST', body: key })
  return 'charged'
}

/** The other system ignores a key that it has. */
export const keyed = using(
  'keyed',
  tool('charge', { effect: 'idempotent', execute: (_, { idempotencyKey }) => post(idempotencyKey) }),
)

/** Each execution has another key. */
export const keyless = using(
  'keyless',
  tool('charge', { effect: 'idempotent', execute: () => post(`${performance.timeOrigin + performance.now()}`) }),
)

/** Says itself what it does. */
export const noted = using(
  'noted',
  tool('charge', { effect: 'idempotent', execute: (_, context) => (ledger(context), 'charged') }),
)

/** Says with which key it does it. */
export const notedKey = using(
  'noted-key',
  tool('charge', { effect: 'idempotent', execute: (_, context) => (ledger(context, context.idempotencyKey), 'charged') }),
)

/** What the other system has booked. */
export const world = async (): Promise<unknown> => ({ charges: await (await fetch(url)).json() })
