import { createKeyedQueue } from './keyed-queue.ts'
import type { McpCredentials, McpTokenStore } from './mcp-token-store.ts'

/** Creates a token store that keeps credentials in the memory of this process. */
export function createMemoryTokenStore(): McpTokenStore {
  const kept = new Map<string, McpCredentials>()
  const queue = createKeyedQueue()
  return {
    read: async key => kept.get(key),
    async write(key, credentials) {
      if (credentials === undefined) kept.delete(key)
      else kept.set(key, credentials)
    },
    exclusively: (key, work) => queue.run(key, work),
  }
}
