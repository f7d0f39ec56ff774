import { ParleyError, type JournalAppend, type Store } from '@parley/core'

/** A store whose appends the suite watches and fails. */
export interface FailingStore {
  readonly store: Store
  /** Appends so far, in order. */
  readonly appends: readonly { readonly append: JournalAppend; readonly failed: boolean }[]
}

/** Wraps a store. The appends with these numbers, counted from 1, reject with `store-unavailable` and write nothing. */
export function failingStore(inner: Store, failures: readonly number[]): FailingStore {
  const appends: { append: JournalAppend; failed: boolean }[] = []
  const append: Store['append'] = async (...args) => {
    const failed = failures.includes(appends.length + 1)
    appends.push({ append: args[0], failed })
    if (failed) throw new ParleyError({ code: 'store-unavailable', store: inner.name, detail: 'The suite failed it.' })
    await inner.append(...args)
  }
  const store = new Proxy(inner, {
    get(target, key) {
      if (key === 'append') return append
      const value: unknown = Reflect.get(target, key)
      // Stores may be classes with private fields, which a proxy does not have.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store, appends }
}
