import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface SearxngEngineOptions {
  /** Of the instance, which must have the format `json` switched on: `http://localhost:8888`. */
  readonly baseUrl: string
}

/**
 * Searches by a SearXNG instance.
 * @throws ParleyError `config-invalid` when the address is none.
 */
export function createSearxngEngine({ baseUrl }: SearxngEngineOptions): SearchEngine {
  const base = engineUrl(baseUrl)
  return {
    name: 'searxng',
    async search({ query }, { signal }) {
      const url = new URL('search', base)
      url.searchParams.set('q', query)
      url.searchParams.set('format', 'json')
      return readResults(memberOf(await searchRequest({ url, signal }), 'results'), 'content')
    },
  }
}
