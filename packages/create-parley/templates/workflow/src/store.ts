import type { Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'

/** Keeps runs until the process ends. */
export function openStore(): Promise<Store> {
  return Promise.resolve(createMemoryStore())
}
