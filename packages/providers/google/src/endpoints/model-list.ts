import { fieldsOf, listOf, textOf, type ListedModel, type ModelList } from '@parley/provider-kit'

/** The model list of the Gemini API, `GET /models`. */
export const geminiModelList: ModelList = {
  path: 'models?pageSize=1000',
  read: readModels,
  nextOf: page => {
    const token = textOf(fieldsOf(page)?.['nextPageToken'])
    return token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
  },
}

/** Reads one page. Skips models that do not generate content, such as embedding models, and entries without a name. */
function readModels(page: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(page)?.['models'])) {
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
