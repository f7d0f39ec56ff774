import { checkOptions, type OptionKinds } from '@parley/core'
import { engineUrl, memberOf, readResults, searchRequest } from './search-request.ts'
import type { SearchEngine } from './search-engine.ts'

export interface SearxngEngineOptions {
  /** Address of the instance, such as `http://localhost:8888`. Its settings must enable the format `json`. */
  readonly baseUrl: string
}

const OPTIONS: OptionKinds<SearxngEngineOptions> = {
  baseUrl: 'string!',
}

/**
 * Creates a search engine that uses a SearXNG instance.
 * @throws ParleyError `config-invalid` if `baseUrl` is not an http or https URL.
 */
export function createSearxngEngine(options: SearxngEngineOptions): SearchEngine {
  checkOptions('createSearxngEngine', options, OPTIONS)
  const { baseUrl } = options
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
