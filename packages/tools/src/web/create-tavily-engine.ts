import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface TavilyEngineOptions {
  readonly apiKey: string
  /** @default 'https://api.tavily.com/' */
  readonly baseUrl?: string | undefined
}

/**
 * Searches by the Tavily API.
 * @throws ParleyError `config-invalid` when the address is none.
 */
export function createTavilyEngine({ apiKey, baseUrl = 'https://api.tavily.com/' }: TavilyEngineOptions): SearchEngine {
  const base = engineUrl(baseUrl)
  return {
    name: 'tavily',
    async search({ query, maxResults }, { signal }) {
      const answer = await searchRequest({
        url: new URL('search', base),
        headers: { authorization: `Bearer ${apiKey}` },
        body: { query, max_results: Math.min(20, maxResults) },
        signal,
      })
      return readResults(memberOf(answer, 'results'), 'content')
    },
  }
}
