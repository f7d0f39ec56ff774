import { checkOptions, type OptionKinds } from '@parley/core'
import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface BraveEngineOptions {
  /** Key of the Brave Search API. */
  readonly apiKey: string
  /** Address of the API. @default 'https://api.search.brave.com/' */
  readonly baseUrl?: string | undefined
}

const OPTIONS: OptionKinds<BraveEngineOptions> = {
  apiKey: 'string!',
  baseUrl: 'string',
}

/**
 * Creates a search engine that uses the Brave Search API.
 * @throws ParleyError `config-invalid` if `baseUrl` is not an http or https URL.
 */
export function createBraveEngine(options: BraveEngineOptions): SearchEngine {
  checkOptions('createBraveEngine', options, OPTIONS)
  const { apiKey, baseUrl = 'https://api.search.brave.com/' } = options
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
