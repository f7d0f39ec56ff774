import type { Store } from '@parley/core'

/** The moment at which a process is killed: before or after an append, counted from 1 over all runs of a session. */
export interface DeathPoint {
  readonly append: number
  readonly side: 'before' | 'after'
}

export interface Stop {
  readonly death: DeathPoint | undefined
  /** Called at `death`. */
  readonly kill: () => void
  readonly isDead: () => boolean
}

/** Wraps a store. It counts appends, and answers nothing after its death. */
export function stoppableStore(store: Store, { death, kill, isDead }: Stop): Store & { readonly appends: number } {
  let appends = 0
  const append: Store['append'] = async (...given) => {
    const number = ++appends
    if (death?.append === number && death.side === 'before') kill()
    if (isDead()) return never()
    await store.append(...given)
    if (death?.append === number && death.side === 'after') kill()
    if (isDead()) return never()
  }
  const wrapped = answering(store, isDead)
  return new Proxy(wrapped, {
    get(target, key) {
      if (key === 'append') return append
      return key === 'appends' ? appends : (Reflect.get(target, key) as unknown)
    },
  }) as Store & { readonly appends: number }
}

/** Wraps a store or a part of it, so that no call is made or answered after the death. */
export function answering<T extends object>(part: T, isDead: () => boolean): T {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value === 'object' && value !== null) return answering(value, isDead)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        if (isDead()) return never()
        const answer: unknown = await value.apply(target, given)
        return isDead() ? never() : answer
      }
    },
  })
}

function never(): Promise<never> {
  return new Promise(() => {})
}
