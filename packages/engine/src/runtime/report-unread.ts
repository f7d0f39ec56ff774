import type { ParleyError } from '@parley/core'
import { RunFailedError } from '../run-context/run-failed-error.ts'
import type { RunResult } from '../run-context/run-result.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'

/** Endings that a user or the runtime asked for, or that another process continues. */
const EXPECTED: ReadonlySet<RunResult['status']> = new Set(['cancelled', 'suspended'])

/** The code that started a run may read it later, for example after it has waited for something else. */
const GRACE_MS = 5_000

/**
 * Reports a failed run of which no code has asked for the result, the events or the text: some seconds after its end, or when
 * the process ends.
 */
export function reportUnread(
  run: { readonly isRead: boolean },
  result: RunResult,
  { clock, onUnreadFailure }: Pick<RuntimePorts, 'clock' | 'onUnreadFailure'>,
): void {
  if (run.isRead || result.status === 'completed' || EXPECTED.has(result.status)) return
  const check = (): void => {
    if (!run.isRead) onUnreadFailure(new RunFailedError(result), result)
  }
  if (clock.afterOrAtExit === undefined) clock.after(GRACE_MS, check)
  else clock.afterOrAtExit(GRACE_MS, check)
}

/** Writes a failure to the standard error stream: in one line, and for a tool that threw with its stack. */
export function printUnreadFailure(failure: ParleyError, { agent, runId }: Pick<RunResult, 'agent' | 'runId'>): void {
  const { info } = failure
  const text = failure.message.replaceAll(/\s+/g, ' ').replace(/[^.!?]$/, '$&.')
  const words =
    info.code === 'tool-failed'
      ? `${text} The agent '${agent}' received only this message in the run '${runId}'. Return toolError('…') for a failure that you expect. ${info.stack ?? ''}`
      : `${text} No code has read this run: await run.orThrow() or run.result, or pass onUnreadFailure to createRuntime.`
  // oxlint-disable-next-line no-console -- a failure that no code reads would otherwise leave no trace
  console.error(`parley: ${words}`)
}
