import { describeError } from '@parley/core'
import type { RunResult } from '@parley/engine'
import type { Terminal } from './terminal.ts'

/** Says on the error stream why a run failed, in one line. */
export function reportFailure(result: RunResult, terminal: Terminal): void {
  if (result.status !== 'failed' && result.status !== 'interrupted') return
  terminal.error(`parley: ${describeError(result.error).replaceAll(/\s*\n\s*/g, ' ')}\n`)
}
