import { untilOverdue, type Clock, type ToolCall, type ToolFailure, type ToolOutcome } from '@parley/core'
import { stepOfCall } from '../compile/step-id.ts'

/** The concurrent calls of one answer. A call that fails stops the others. */
export class Siblings {
  readonly #clock: Clock
  readonly #controller = new AbortController()
  /** Calls that run. A call of an answer does not listen on the signal: listeners are slow to add (bench: tricks running-steps). */
  readonly #running = new Set<() => void>()
  #joined: { readonly given: AbortSignal; readonly signal: AbortSignal } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Aborted when the signal of the call is aborted or a sibling has failed. */
  signalOf({ signal: given }: ToolCall): AbortSignal {
    // The calls of an answer have the same signal, so they share the joined one (bench: tricks sibling-signal).
    if (this.#joined?.given !== given) {
      this.#joined = { given, signal: AbortSignal.any([given, this.#controller.signal]) }
    }
    return this.#joined.signal
  }

  /**
   * Waits for a call. If it fails, the others are cancelled.
   * @returns `undefined` if another call has failed and this one was cancelled.
   */
  async settle(working: Promise<ToolOutcome>, call: ToolCall): Promise<ToolOutcome | undefined> {
    try {
      const outcome = await this.#untilOverdue(working)
      if (outcome === undefined || !hasFailed(outcome)) return outcome
      if (this.#controller.signal.aborted && !call.signal.aborted) return undefined
      this.#cancel(call)
      return outcome
    } catch (error) {
      this.#cancel(call)
      throw error
    }
  }

  #untilOverdue(working: Promise<ToolOutcome>): Promise<ToolOutcome | undefined> {
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      const stop = (): void => resolve(untilOverdue(working, signal, this.#clock))
      if (signal.aborted) return stop()
      this.#running.add(stop)
      working.then(
        outcome => {
          this.#running.delete(stop)
          resolve(outcome)
        },
        (error: unknown) => {
          this.#running.delete(stop)
          reject(error)
        },
      )
    })
  }

  #cancel(call: ToolCall): void {
    // A call that is being cancelled may fail because of that, which must not stop its siblings.
    if (call.signal.aborted) return
    this.#controller.abort(new Error(`its sibling step '${stepOfCall(call.callId)}' failed`))
    for (const stop of this.#running) stop()
  }
}

/** Whether the call failed. A call that is suspended for approval has not: it continues after the decision. */
export function hasFailed(outcome: ToolOutcome): outcome is ToolFailure {
  return outcome.type === 'error' && outcome.error?.code !== 'run-suspended'
}
