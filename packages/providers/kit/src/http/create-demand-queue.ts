/** Items pushed on one side and pulled on the other; the pushing side can wait until everything was taken. */
export interface DemandQueue<TItem> {
  /** Ignored once ended. */
  push(item: TItem): void
  /** Resolves when no item waits; undefined when none does now. */
  drained(): Promise<void> | undefined
  /** No more items. What waits is still delivered, then `failure`, if there is one, is thrown once. */
  end(failure?: { readonly error: unknown }): void
  /** Drops what waits and lets a waiting `drained` go. */
  clear(): void
  next(): Promise<IteratorResult<TItem, undefined>>
  readonly ended: boolean
}

export function createDemandQueue<TItem>(): DemandQueue<TItem> {
  let items: TItem[] = []
  let head = 0
  let pull: PromiseWithResolvers<IteratorResult<TItem, undefined>> | undefined
  let drain: PromiseWithResolvers<void> | undefined
  let failure: { readonly error: unknown } | undefined
  let ended = false
  const done: IteratorResult<TItem, undefined> = { value: undefined, done: true }

  function clear(): void {
    items = []
    head = 0
    drain?.resolve()
    drain = undefined
  }

  function settle(): Promise<IteratorResult<TItem, undefined>> {
    if (failure === undefined) return Promise.resolve(done)
    const { error } = failure
    failure = undefined
    return Promise.reject(error)
  }

  return {
    get ended() {
      return ended
    },
    clear,
    push(item) {
      if (ended) return
      if (pull === undefined) {
        items.push(item)
        return
      }
      const { resolve } = pull
      pull = undefined
      resolve({ value: item, done: false })
    },
    drained() {
      if (head === items.length) return undefined
      drain ??= Promise.withResolvers<void>()
      return drain.promise
    },
    end(withFailure) {
      if (ended) return
      ended = true
      failure = withFailure
      pull?.resolve(settle())
      pull = undefined
    },
    next() {
      if (head < items.length) {
        const value = items[head++] as TItem
        if (head === items.length) clear()
        return Promise.resolve({ value, done: false })
      }
      if (ended) return settle()
      pull ??= Promise.withResolvers<IteratorResult<TItem, undefined>>()
      return pull.promise
    },
  }
}
