import { fieldsOf, listOf, textOf, type Http } from '@parley/provider-kit'

/** A model Google offers to this key. */
export interface ListedModel {
  readonly id: string
  /** Tokens it reads at most. */
  readonly contextWindow?: number | undefined
  readonly maxOutputTokens?: number | undefined
}

/** Asks `GET /models`, page by page. */
export async function listModels(http: Http, signal: AbortSignal | undefined): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = []
  let page = ''
  do {
    const token = page === '' ? '' : `&pageToken=${encodeURIComponent(page)}`
    const body = await http.json({ method: 'GET', path: `models?pageSize=1000${token}`, signal })
    models.push(...fromModelList(body))
    page = textOf(fieldsOf(body)?.['nextPageToken'])
  } while (page !== '')
  return models
}

/** Reads one page; models that do not generate content (embeddings, say) and entries without a name are left out. */
export function fromModelList(body: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(body)?.['models'])) {
    const fields = fieldsOf(entry) ?? {}
    const id = textOf(fields['name']).replace(/^models\//, '')
    const methods = fields['supportedGenerationMethods']
    if (id === '' || (Array.isArray(methods) && !methods.includes('generateContent'))) continue
    const { inputTokenLimit, outputTokenLimit } = fields
    models.push({
      id,
      ...(typeof inputTokenLimit === 'number' ? { contextWindow: inputTokenLimit } : {}),
      ...(typeof outputTokenLimit === 'number' ? { maxOutputTokens: outputTokenLimit } : {}),
    })
  }
  return models
}
