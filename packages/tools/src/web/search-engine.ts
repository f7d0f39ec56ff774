/** Something that searches the web. */
export interface SearchEngine {
  /** Shown in results and errors. */
  readonly name: string
  /** @throws ParleyError `url-failed` when the engine does not answer as it should. */
  search(query: SearchQuery, options: { readonly signal?: AbortSignal | undefined }): Promise<readonly SearchResult[]>
}

export interface SearchQuery {
  readonly query: string
  /** Most results that are of use. An engine may give more or fewer. */
  readonly maxResults: number
}

export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly snippet: string
}
