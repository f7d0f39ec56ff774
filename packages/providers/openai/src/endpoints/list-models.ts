import type { Http } from '@parley/provider-kit'

/** A model a server says it has. */
export interface ListedModel {
  readonly id: string
  /** Tokens of input and output together, where the server tells. */
  readonly contextWindow?: number | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Asks `GET /models`. */
export async function listModels(http: Http, signal: AbortSignal | undefined): Promise<readonly ListedModel[]> {
  return fromModelList(await http.json({ method: 'GET', path: 'models', signal }))
}

/** Reads a list of models in any of the shapes servers use; entries without an id are left out. */
export function fromModelList(body: unknown): readonly ListedModel[] {
  const list = Array.isArray(body) ? body : (body as Fields | null)?.['data']
  if (!Array.isArray(list)) return []
  const models: ListedModel[] = []
  for (const entry of list as readonly (Fields | null)[]) {
    const id = entry?.['id']
    if (typeof id !== 'string' || id === '') continue
    const window = entry?.['context_length'] ?? entry?.['max_model_len'] ?? entry?.['context_window']
    models.push(typeof window === 'number' ? { id, contextWindow: window } : { id })
  }
  return models
}
