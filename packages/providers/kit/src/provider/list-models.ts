import type { Http } from '../http/create-http.ts'

/** A model that a server offers. A field is missing if the server does not state it. */
export interface ListedModel {
  readonly id: string
  /** Name to show to users. */
  readonly name?: string | undefined
  /** Size of the context window in tokens. */
  readonly contextWindow?: number | undefined
  /** Largest number of tokens in one answer. */
  readonly maxOutputTokens?: number | undefined
  /** Size on the server's disk in bytes. */
  readonly sizeBytes?: number | undefined
}

/** Implemented by providers that can list their models. */
export interface ModelListing {
  /**
   * Lists the models that the server offers.
   * @throws `ParleyError` with a `model-…` code, or `signal.reason`.
   */
  listModels(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly ListedModel[]>
}

/** The list of models of one API. */
export interface ModelList {
  /** Path of the list. */
  readonly path: string
  /** Reads the models of one page. */
  readonly read: (page: unknown) => readonly ListedModel[]
  /** Returns what to append to `path` for the page after this one; `''` after the last page. @default the list has one page */
  readonly nextOf?: ((page: unknown) => string) | undefined
}

/** Requests every page of a list of models. */
export async function listModels(
  http: Http,
  { path, read, nextOf = () => '' }: ModelList,
  signal: AbortSignal | undefined,
): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = []
  let current = ''
  for (;;) {
    const page = await http.json({ method: 'GET', path: `${path}${current}`, signal })
    models.push(...read(page))
    const next = nextOf(page)
    // A broken server may answer every request with the same page.
    if (next === '' || next === current) return models
    current = next
  }
}
