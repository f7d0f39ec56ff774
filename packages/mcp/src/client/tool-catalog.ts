import { abortable } from '../abortable.ts'
import { callListener } from '../call-listener.ts'
import type { McpToolInfo } from '../tools/mcp-tool-host.ts'

/** What became of a list of tools, by the server's names for them. */
export interface ToolListDiff {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Still there, with another description, schema or hint. */
  readonly changed: readonly string[]
}

/** The list of a server's tools, fetched when it may have changed. */
export interface ToolCatalog {
  get(signal?: AbortSignal): Promise<readonly McpToolInfo[]>
  /** Takes note that the list may have changed. The next `get` fetches it. */
  expire(): void
  /** As `expire` and `renew` after a while. */
  expireIn(ms: number): void
  /** Fetches an expired list in the background, if anybody ever asked for it. */
  renew(): void
  /** Calls `listener` when the list has really changed. Returns the way to stop. */
  onChange(listener: () => void): () => void
  /** Calls off what is to happen later. */
  close(): void
}

export interface ToolCatalogOptions {
  readonly fetch: () => Promise<readonly McpToolInfo[]>
  /** Called with what is different whenever the list has really changed. */
  readonly onDiff: (diff: ToolListDiff) => void
}

// A server that announces a change each time it is asked must not keep us asking.
const MAX_ROUNDS = 3

/** Tools that did not change stay the same objects, so that whatever was compiled for them stays valid. */
export function createToolCatalog({ fetch, onDiff }: ToolCatalogOptions): ToolCatalog {
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
    // A failure shows to whoever asks next.
    if (tools !== undefined) current().catch(() => {})
  }

  return {
    get: signal => abortable(current(), signal),
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

/** Tools that did not change are the same objects in both lists. */
function diffToolLists(before: readonly McpToolInfo[], after: readonly McpToolInfo[]): ToolListDiff {
  const known = new Map(before.map(tool => [tool.name, tool]))
  const present = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !present.has(name)).map(({ name }) => name),
    changed: after.filter(tool => known.has(tool.name) && known.get(tool.name) !== tool).map(({ name }) => name),
  }
}
