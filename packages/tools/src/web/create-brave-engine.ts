import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface BraveEngineOptions {
  /** Key of the Brave Search API. */
  readonly apiKey: string
  /** Address of the API. @default 'https://api.search.brave.com/' */
  readonly baseUrl?: string | undefined
}

/**
 * Creates a search engine that uses the Brave Search API.
 * @throws ParleyError `config-invalid` if `baseUrl` is not an http or https URL.
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
