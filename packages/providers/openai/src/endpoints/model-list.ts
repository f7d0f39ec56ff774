import { fieldsOf, listOf, textOf, type ListedModel, type ModelList } from '@parley/provider-kit'

/** The model list of the API, `GET /models`. */
export const openaiModelList: ModelList = { path: 'models', read: readModels }

/** Reads a list of models in any of the shapes that servers use. Skips entries without an id. */
export function readModels(body: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of Array.isArray(body) ? listOf(body) : listOf(fieldsOf(body)?.['data'])) {
    const fields = fieldsOf(entry) ?? {}
    const id = textOf(fields['id'])
    if (id === '') continue
    const window = fields['context_length'] ?? fields['max_model_len'] ?? fields['context_window']
    models.push(typeof window === 'number' ? { id, contextWindow: window } : { id })
  }
  return models
}
