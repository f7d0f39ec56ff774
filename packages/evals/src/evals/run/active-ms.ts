import type { Store } from '@parley/core'

/** Milliseconds in which runs worked, by their journals. The time before a resumption does not count. */
export async function activeMs(store: Pick<Store, 'read'>, runIds: readonly string[]): Promise<number> {
  let sum = 0
  for (const runId of runIds) {
    let before: number | undefined
    for (const { at, type } of await store.read(runId)) {
      if (before !== undefined && type !== 'run.resumed') sum += Math.max(0, at - before)
      before = at
    }
  }
  return sum
}
