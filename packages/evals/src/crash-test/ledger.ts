import { appendFileSync } from 'node:fs'
import type { Json, ToolContext } from '@parley/core'

/** Options of `ledger`. */
export interface LedgerOptions {
  /** The file that gets the line. @default `PARLEY_CRASH_LEDGER`, which the crash test sets; without it, nothing is written */
  readonly file?: string | undefined
}

/**
 * Writes down that a tool changes the world, where it does so. Call it where the crash test cannot see the change itself, for
 * example next to a request to another system. Outside of a crash test it does nothing.
 * @param context The context of the tool call.
 * @param what What changes, for example the key that the other system gets. The same text twice means that it changed twice.
 */
export function ledger(
  { callId }: Pick<ToolContext, 'callId'>,
  what: Json,
  { file = process.env['PARLEY_CRASH_LEDGER'] }: LedgerOptions = {},
): void {
  if (file !== undefined && file !== '') appendFileSync(file, `${callId} ${JSON.stringify(what)}\n`)
}
