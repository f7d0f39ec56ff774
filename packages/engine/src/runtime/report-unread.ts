import { RunFailedError } from '../run-context/run-failed-error.ts'
import type { RunResult } from '../run-context/run-result.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'

/** Endings that a user or the runtime asked for, or that another process continues. */
const EXPECTED: ReadonlySet<RunResult['status']> = new Set(['cancelled', 'suspended'])

/** Reports a failed run of which no code has asked for the result, the events or the text. */
export function reportUnread(
  run: { readonly isRead: boolean },
  result: RunResult,
  { clock, onUnreadFailure }: Pick<RuntimePorts, 'clock' | 'onUnreadFailure'>,
): void {
  if (run.isRead || result.status === 'completed' || EXPECTED.has(result.status)) return
  // The code that started or resumed the run may receive it only now.
  clock.after(0, () => {
    if (!run.isRead) onUnreadFailure(new RunFailedError(result))
  })
}

/** Writes the failure to the standard error stream, as one line. */
export function printUnreadFailure({ message }: RunFailedError): void {
  // oxlint-disable-next-line no-console -- a failure that no code reads would otherwise leave no trace
  console.error(
    `parley: ${message.replaceAll(/\s+/g, ' ')} No code reads this run: await run.orThrow() or run.result, or pass onUnreadFailure to createRuntime.`,
  )
}
