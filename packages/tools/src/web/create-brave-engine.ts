import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface BraveEngineOptions {
  readonly apiKey: string
  /** @default 'https://api.search.brave.com/' */
  readonly baseUrl?: string | undefined
}

/**
 * Searches by the Brave Search API.
 * @throws ParleyError `config-invalid` when the address is none.
 */
export function createBraveEngine({
  apiKey,
  baseUrl = 'https://api.search.brave.com/',
}: BraveEngineOptions): SearchEngine {
  const base = engineUrl(baseUrl)
  return {
    name: 'brave',
    async search({ query, maxResults }, { signal }) {
      const url = new URL('res/v1/web/search', base)
      url.searchParams.set('q', query)
      url.searchParams.set('count', String(Math.min(20, maxResults)))
      url.searchParams.set('text_decorations', 'false')
      const answer = await searchRequest({ url, headers: { 'x-subscription-token': apiKey }, signal })
      return readResults(memberOf(memberOf(answer, 'web'), 'results'), 'description')
    },
  }
}
