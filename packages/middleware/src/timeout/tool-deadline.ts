import type { Clock, MiddlewareStages, ToolOutcome } from '@parley/core'
import { refuse } from '../outcome/refuse.ts'

/** Milliseconds that an aborted handler has to settle before the call returns without it. */
const SETTLE_MS = 1_000

/** Creates the tool stage that enforces the deadline which `msOf` returns for a tool. `undefined` means no deadline. */
export function toolDeadline(
  clock: Clock,
  msOf: (tool: string) => number | undefined,
): NonNullable<MiddlewareStages['tool']> {
  return (call, next) => {
    const ms = msOf(call.tool.name)
    if (ms === undefined) return next(call)
    const controller = new AbortController()
    const signal = AbortSignal.any([call.signal, controller.signal])
    return new Promise<ToolOutcome>((resolve, reject) => {
      const expired = refuse({ code: 'tool-timeout', tool: call.tool.name, ms })
      let cancel = clock.after(ms, () => {
        controller.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError'))
        cancel = clock.after(SETTLE_MS, () => resolve(expired))
      })
      const settle = (done: () => void): void => {
        cancel()
        // The outcome of a handler after its deadline is ignored.
        if (controller.signal.aborted) resolve(expired)
        else done()
      }
      next({ ...call, signal }).then(
        outcome => settle(() => resolve(outcome)),
        error => settle(() => reject(error)),
      )
    })
  }
}
