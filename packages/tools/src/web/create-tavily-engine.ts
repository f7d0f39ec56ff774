import { checkOptions, type OptionKinds } from '@parley/core'
import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface TavilyEngineOptions {
  /** Key of the Tavily API. */
  readonly apiKey: string
  /** Address of the API. @default 'https://api.tavily.com/' */
  readonly baseUrl?: string | undefined
}

const OPTIONS: OptionKinds<TavilyEngineOptions> = {
  apiKey: 'string!',
  baseUrl: 'string',
}

/**
 * Creates a search engine that uses the Tavily API.
 * @throws ParleyError `config-invalid` if `baseUrl` is not an http or https URL.
 */
export function createTavilyEngine(options: TavilyEngineOptions): SearchEngine {
  checkOptions('createTavilyEngine', options, OPTIONS)
  const { apiKey, baseUrl = 'https://api.tavily.com/' } = options
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
