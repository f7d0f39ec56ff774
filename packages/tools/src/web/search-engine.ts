/** Searches the web for `web_search`. */
export interface SearchEngine {
  /** Name of the engine in results. */
  readonly name: string
  /**
   * Sends a query to the engine and returns its results.
   * @throws ParleyError `url-failed` if the engine does not answer or its answer is invalid.
   */
  search(query: SearchQuery, options: { readonly signal?: AbortSignal | undefined }): Promise<readonly SearchResult[]>
}

/** A query of `web_search`. */
export interface SearchQuery {
  readonly query: string
  /** Number of results that are needed. An engine may return more or fewer. */
  readonly maxResults: number
}

/** One result of a search. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}
