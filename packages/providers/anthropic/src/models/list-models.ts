import { countOf, fieldsOf, listOf, textOf, type Http } from '@parley/provider-kit'

/** A model the server says it has. */
export interface ListedModel {
  readonly id: string
  /** Its name for people, where the server tells. */
  readonly name?: string | undefined
  /** Tokens of input, where the server tells. */
  readonly contextWindow?: number | undefined
}

/** Asks `GET /models`, page by page. */
export async function listModels(http: Http, signal: AbortSignal | undefined): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = []
  let after = ''
  do {
    const body: unknown = await http.json({ method: 'GET', path: `models?limit=1000${after}`, signal })
    models.push(...fromModelList(body))
    const { has_more: hasMore, last_id: last } = fieldsOf(body) ?? {}
    const next = hasMore === true && textOf(last) !== '' ? `&after_id=${encodeURIComponent(textOf(last))}` : ''
    // A server that gives the same page for ever is not asked for ever.
    after = next === after ? '' : next
  } while (after !== '')
  return models
}

/** Reads one page of models; entries without an id are left out. */
export function fromModelList(body: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(body)?.['data'])) {
    const fields = fieldsOf(entry) ?? {}
    const id = textOf(fields['id'])
    if (id === '') continue
    const name = textOf(fields['display_name'])
    const contextWindow = countOf(fields['max_input_tokens'])
    models.push({
      id,
      ...(name === '' ? {} : { name }),
      ...(contextWindow === undefined ? {} : { contextWindow }),
    })
  }
  return models
}
