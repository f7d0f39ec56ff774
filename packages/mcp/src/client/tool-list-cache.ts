import { untilAborted, type McpToolListDiff } from '@parley/core'
import { callListener } from '../call-listener.ts'
import type { McpToolInfo } from '../tools/mcp-tool-host.ts'

/** The cached tool list of a server. Fetches the list again after it may have changed. */
export interface ToolListCache {
  get(signal?: AbortSignal): Promise<readonly McpToolInfo[]>
  /** Marks the list as possibly changed. The next `get` fetches it. */
  expire(): void
  /** Calls `expire` and `renew` after a delay. */
  expireIn(ms: number): void
  /** Fetches an expired list in the background, if it was fetched before. */
  renew(): void
  /**
   * Calls `listener` when a fetched list differs from the previous one.
   * @returns A function that removes the listener.
   */
  onChange(listener: () => void): () => void
  /** Cancels a delayed `expireIn`. */
  close(): void
}

export interface ToolListCacheOptions {
  readonly fetch: () => Promise<readonly McpToolInfo[]>
  /** Called with the differences when a fetched list differs from the previous one. */
  readonly onDiff: (diff: McpToolListDiff) => void
}

// Some servers announce a change with every listing, which would cause an endless loop.
const MAX_ROUNDS = 3

/** Creates a cache. Unchanged tools stay the same objects, so that the schemas compiled for them stay valid. */
export function createToolListCache({ fetch, onDiff }: ToolListCacheOptions): ToolListCache {
  let tools: readonly McpToolInfo[] | undefined
  let running: Promise<readonly McpToolInfo[]> | undefined
  let stale = true
  let timer: NodeJS.Timeout | undefined
  const listeners = new Set<() => void>()

  async function refresh(): Promise<readonly McpToolInfo[]> {
    let next: readonly McpToolInfo[] = []
    try {
      for (let round = 0; stale && round < MAX_ROUNDS; round += 1) {
        stale = false
        next = await fetch()
      }
    } catch (error) {
      stale = true
      throw error
    }
    return publish(next)
  }

  function publish(next: readonly McpToolInfo[]): readonly McpToolInfo[] {
    const before = tools
    const known = new Map(before?.map(tool => [JSON.stringify(tool), tool]))
    const merged = next.map(tool => known.get(JSON.stringify(tool)) ?? tool)
    const same = before?.length === merged.length && before.every((tool, index) => tool === merged[index])
    if (same) return before
    tools = merged
    if (before === undefined) return merged
    onDiff(diffToolLists(before, merged))
    for (const listener of listeners) callListener(listener)
    return merged
  }

  function current(): Promise<readonly McpToolInfo[]> {
    if (tools !== undefined && !stale && running === undefined) return Promise.resolve(tools)
    return (running ??= refresh().finally(() => (running = undefined)))
  }

  function renew(): void {
    // The next `get` fetches again and reports a failure.
    if (tools !== undefined) current().catch(() => {})
  }

  return {
    get: signal => untilAborted(current(), signal),
    expire() {
      stale = true
    },
    expireIn(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        stale = true
        renew()
      }, ms)
      timer.unref()
    },
    renew,
    close() {
      clearTimeout(timer)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Compares two lists. Unchanged tools are the same objects in both. */
function diffToolLists(before: readonly McpToolInfo[], after: readonly McpToolInfo[]): McpToolListDiff {
  const known = new Map(before.map(tool => [tool.name, tool]))
  const present = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !present.has(name)).map(({ name }) => name),
    changed: after.filter(tool => known.has(tool.name) && known.get(tool.name) !== tool).map(({ name }) => name),
  }
}
