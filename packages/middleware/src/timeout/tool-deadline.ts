import type { Clock, MiddlewareStages, ToolOutcome } from '@parley/core'
import { refuse } from '../outcome/refuse.ts'

/** How long an aborted handler may take to settle before it is left behind. */
const SETTLE_MS = 1_000

/** A tool stage under the deadline `msOf` gives for a tool; none where it gives none. */
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
      let callOff = clock.after(ms, () => {
        controller.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError'))
        callOff = clock.after(SETTLE_MS, () => resolve(expired))
      })
      const settle = (done: () => void): void => {
        callOff()
        // What a handler says after it was told to stop is no result.
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
