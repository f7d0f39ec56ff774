import { untilOverdue, type Clock, type MiddlewareStages } from '@parley/core'
import { refuse } from '../outcome/refuse.ts'

/** Creates the tool stage that enforces the deadline which `msOf` returns for a tool. `undefined` means no deadline. */
export function toolDeadline(
  clock: Clock,
  msOf: (tool: string) => number | undefined,
): NonNullable<MiddlewareStages['tool']> {
  return async (call, next) => {
    const ms = msOf(call.tool.name)
    if (ms === undefined) return next(call)
    const controller = new AbortController()
    const signal = AbortSignal.any([call.signal, controller.signal])
    const expired = refuse({ code: 'tool-timeout', tool: call.tool.name, ms })
    const cancel = clock.after(ms, () => controller.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError')))
    try {
      const outcome = await untilOverdue(next({ ...call, signal }), controller.signal, clock)
      // The outcome of a handler after its deadline is ignored.
      return outcome === undefined || controller.signal.aborted ? expired : outcome
    } catch (error) {
      if (controller.signal.aborted) return expired
      throw error
    } finally {
      cancel()
    }
  }
}
