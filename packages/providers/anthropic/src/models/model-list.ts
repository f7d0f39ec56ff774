import { countOf, fieldsOf, listOf, textOf, type ListedModel, type ModelList } from '@parley/provider-kit'

/** The model list of the Messages API, `GET /models`. */
export const anthropicModelList: ModelList = {
  path: 'models?limit=1000',
  read: readModels,
  nextOf: page => {
    const { has_more: hasMore, last_id: last } = fieldsOf(page) ?? {}
    return hasMore === true && textOf(last) !== '' ? `&after_id=${encodeURIComponent(textOf(last))}` : ''
  },
}

/** Reads one page. Skips entries without an id. */
function readModels(page: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(page)?.['data'])) {
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
