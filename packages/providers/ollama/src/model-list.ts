import { fieldsOf, listOf, textOf, type ListedModel, type ModelList } from '@parley/provider-kit'

/** The list of models on the server's disk, `GET /api/tags`. */
export const ollamaModelList: ModelList = { path: 'api/tags', read: readTags }

/** Reads the list. Skips entries without a name. */
function readTags(body: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(body)?.['models'])) {
    const { model, name, size } = fieldsOf(entry) ?? {}
    const id = textOf(model) || textOf(name)
    if (id !== '') models.push(typeof size === 'number' ? { id, sizeBytes: size } : { id })
  }
  return models
}
