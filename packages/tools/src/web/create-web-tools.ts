import type { Tool } from '@parley/core'
import { createNetworkGuard } from '../network/create-network-guard.ts'
import type { NetworkGuard } from '../network/network-guard.ts'
import { fetchUrlTool } from './fetch-url-tool.ts'
import { readWebpageTool } from './read-webpage-tool.ts'
import type { SearchEngine } from './search-engine.ts'
import { webSearchTool } from './web-search-tool.ts'

export interface WebToolsOptions {
  /** Which addresses may be fetched. @default createNetworkGuard(): the public internet */
  readonly guard?: NetworkGuard | undefined
  /** What `web_search` asks; without one there is no such tool. */
  readonly engine?: SearchEngine | undefined
  /** Milliseconds for one fetch, redirects included. @default 15_000 */
  readonly timeoutMs?: number | undefined
  /** Most bytes fetched of one resource, after decompression. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** Sent with every fetch. @default 'parley-tools' */
  readonly userAgent?: string | undefined
}

/** The tools `fetch_url`, `read_webpage` and, with an engine, `web_search`, all of effect `read`. Needs Node.js. */
export function createWebTools({
  guard = createNetworkGuard(),
  engine,
  timeoutMs = 15_000,
  maxBytes = 5_000_000,
  userAgent = 'parley-tools',
}: WebToolsOptions = {}): readonly Tool[] {
  const options = { guard, timeoutMs, maxBytes, userAgent }
  return [fetchUrlTool(options), readWebpageTool(options), ...(engine === undefined ? [] : [webSearchTool(engine)])]
}
