import { appendFileSync } from 'node:fs'
import { checkOptions, type Json, type OptionKinds, type ToolContext } from '@parley/core'

/** Options of `ledger`. */
export interface LedgerOptions {
  /** The file that gets the line. @default `PARLEY_CRASH_LEDGER`, which the crash test sets; without it, nothing is written */
  readonly file?: string | undefined
}

const OPTIONS: OptionKinds<LedgerOptions> = { file: 'string' }

/**
 * Writes down that a tool changes the world, where it does so. Call it where the crash test cannot see the change itself, for
 * example next to a request to another system. Outside of a crash test it does nothing.
 * @param context The context of the tool call.
 * @param key The key by which the other system recognizes a repetition: the same key of a call counts once. `undefined`: the
 * system has no keys, so each call of this function counts.
 */
export function ledger(context: Pick<ToolContext, 'callId'>, key?: Json, options: LedgerOptions = {}): void {
  checkOptions('ledger', options, OPTIONS)
  const { callId } = context
  const { file = process.env['PARLEY_CRASH_LEDGER'] } = options
  if (file === undefined || file === '') return
  appendFileSync(
    file,
    key === undefined ? `${callId} changed something\n` : `${KEYED}${callId} ${JSON.stringify(key)}\n`,
  )
}

/** Start of a line that counts once. */
export const KEYED = 'key '
