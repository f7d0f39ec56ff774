import { ParleyError, type Clock, type MiddlewareStages, type ModelCall, type ModelEvent } from '@parley/core'

export interface ModelDeadlines {
  /** For a whole model call. @default none */
  readonly modelMs?: number | undefined
  /** Until the first text, reasoning or tool call. @default none */
  readonly firstTokenMs?: number | undefined
  /** Between two events of the answer. @default none */
  readonly idleMs?: number | undefined
}

type Deadline = 'first-byte' | 'idle' | 'total'

/** A model stage whose stream throws `model-timeout` when a deadline passes. */
export function modelDeadlines(clock: Clock, deadlines: ModelDeadlines): NonNullable<MiddlewareStages['model']> {
  return async function* (call, next) {
    const watch = new StreamWatch(clock, call.model)
    const signal = AbortSignal.any([call.signal, watch.signal])
    const iterator = next({ ...call, signal })[Symbol.asyncIterator]()
    watch.arm('total', deadlines.modelMs)
    watch.arm('first-byte', deadlines.firstTokenMs)
    try {
      for (;;) {
        watch.arm('idle', deadlines.idleMs)
        const result = await watch.within(iterator.next())
        if (result.done === true) return
        // A reader that takes its time is not the provider's silence.
        watch.disarm('idle')
        if (isSign(result.value)) watch.disarm('first-byte')
        yield result.value
      }
    } finally {
      watch.close()
      // Not awaited: a provider that ignores its signal is left behind.
      void iterator.return?.().catch(() => {})
    }
  }
}

/** The deadlines of one stream, and the failure of the one that has passed. */
class StreamWatch {
  readonly #clock: Clock
  readonly #model: ModelCall['model']
  readonly #controller = new AbortController()
  readonly #armed = new Map<Deadline, () => void>()
  #reject: ((error: unknown) => void) | undefined

  constructor(clock: Clock, model: ModelCall['model']) {
    this.#clock = clock
    this.#model = model
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  arm(deadline: Deadline, ms: number | undefined): void {
    if (ms === undefined) return
    this.disarm(deadline)
    this.#armed.set(
      deadline,
      this.#clock.after(ms, () => this.#expire(deadline, ms)),
    )
  }

  disarm(deadline: Deadline): void {
    this.#armed.get(deadline)?.()
    this.#armed.delete(deadline)
  }

  close(): void {
    for (const callOff of this.#armed.values()) callOff()
    this.#armed.clear()
  }

  within<TResult>(pull: Promise<TResult>): Promise<TResult> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason as Error)
      this.#reject = reject
      pull.then(resolve, reject)
    })
  }

  #expire(deadline: Deadline, ms: number): void {
    const { provider, id } = this.#model
    const detail = 'The deadline was set by a middleware.'
    const error = new ParleyError({ code: 'model-timeout', provider, model: id, detail, deadline, ms })
    this.#controller.abort(error)
    this.#reject?.(error)
  }
}

function isSign({ type }: ModelEvent): boolean {
  return type.endsWith('.delta') || type.startsWith('tool-call')
}
