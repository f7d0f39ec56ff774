import { ParleyError, type Clock, type MiddlewareStages, type ModelCall, type ModelEvent } from '@parley/core'

/** Deadlines of a model call, in milliseconds. */
export interface ModelDeadlines {
  /** Deadline of a whole model call, in milliseconds. @default none */
  readonly modelMs?: number | undefined
  /** Deadline of the first text, reasoning or tool call, in milliseconds. @default none */
  readonly firstTokenMs?: number | undefined
  /** Maximum time between two events of the answer, in milliseconds. @default none */
  readonly idleMs?: number | undefined
}

type Deadline = 'first-byte' | 'idle' | 'total'

/** Creates the model stage whose stream throws `model-timeout` when a deadline passes. */
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
        // The time that a slow reader takes does not count as idle time of the provider.
        watch.disarm('idle')
        if (isOutput(result.value)) watch.disarm('first-byte')
        yield result.value
      }
    } finally {
      watch.close()
      // Not awaited, because a provider that ignores its signal would block the call.
      void iterator.return?.().catch(() => {})
    }
  }
}

/** The running deadlines of one stream. */
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
    for (const cancel of this.#armed.values()) cancel()
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

function isOutput({ type }: ModelEvent): boolean {
  return type.endsWith('.delta') || type.startsWith('tool-call')
}
