import { checkOptions, type OptionKinds, type Tool } from '@parley/core'
import { createNetworkGuard } from '../network/create-network-guard.ts'
import type { NetworkGuard } from '../network/network-guard.ts'
import { fetchUrlTool } from './fetch-url-tool.ts'
import { readWebpageTool } from './read-webpage-tool.ts'
import type { SearchEngine } from './search-engine.ts'
import { webSearchTool } from './web-search-tool.ts'

export interface WebToolsOptions {
  /** Decides which addresses may be fetched. @default createNetworkGuard(): the public internet */
  readonly guard?: NetworkGuard | undefined
  /** Search engine of `web_search`. @default none: `web_search` is not created */
  readonly engine?: SearchEngine | undefined
  /** Milliseconds for one fetch, redirects included. @default 15_000 */
  readonly timeoutMs?: number | undefined
  /** Maximum bytes fetched of one resource, after decompression. @default 5_000_000 */
  readonly maxBytes?: number | undefined
  /** `User-Agent` header of every fetch. @default 'parley-tools' */
  readonly userAgent?: string | undefined
}

const OPTIONS: OptionKinds<WebToolsOptions> = {
  guard: 'object',
  engine: 'object',
  timeoutMs: 'number',
  maxBytes: 'number',
  userAgent: 'string',
}

/** Creates the tools `fetch_url` and `read_webpage`, and with an engine `web_search`, all of effect `read`. Requires Node.js. */
export function createWebTools(options: WebToolsOptions = {}): readonly Tool[] {
  checkOptions('createWebTools', options, OPTIONS)
  const {
    guard = createNetworkGuard(),
    engine,
    timeoutMs = 15_000,
    maxBytes = 5_000_000,
    userAgent = 'parley-tools',
  } = options
  const access = { guard, timeoutMs, maxBytes, userAgent }
  return [fetchUrlTool(access), readWebpageTool(access), ...(engine === undefined ? [] : [webSearchTool(engine)])]
}
