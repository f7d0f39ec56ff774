import { checkVectors, encodeJson, fieldsOf, listOf, type EmbedRequest, type Http } from '@parley/provider-kit'
import { vertexPlaceOf } from './place-of.ts'

// What one request may hold; of the first of Gemini's own models, a single text.
const MOST_TEXTS = 100

/** Asks `{place}:predict`, or `:embedContent` for models that know no other way, as often as the texts make it necessary. */
export async function embedOnVertex(
  http: Http,
  provider: string,
  { model, input, options = {}, signal }: EmbedRequest,
): Promise<readonly (readonly number[])[]> {
  const place = encodeURI(vertexPlaceOf(model))
  const first = model.includes('gemini-embedding-001')
  const isContent = model.includes('gemini') && !first
  const atOnce = model.includes('gemini') ? 1 : MOST_TEXTS
  const vectors: (readonly number[])[] = []
  for (let from = 0; from < input.length; from += atOnce) {
    const texts = input.slice(from, from + atOnce)
    const body = encodeJson(isContent ? contentOf(texts[0] ?? '', options) : instancesOf(texts, options))
    const path = `${place}:${isContent ? 'embedContent' : 'predict'}`
    const answer = fieldsOf(await http.json({ path, body: () => body, signal }))
    const found = isContent
      ? [fieldsOf(answer?.['embedding'])?.['values']]
      : listOf(answer?.['predictions']).map(each => fieldsOf(fieldsOf(each)?.['embeddings'])?.['values'])
    vectors.push(...checkVectors(found, { provider, model, count: texts.length }))
  }
  return vectors
}

function contentOf(text: string, options: NonNullable<EmbedRequest['options']>): object {
  const config = Object.keys(options).length === 0 ? {} : { embedContentConfig: options }
  return { content: { parts: [{ text }], role: 'user' }, ...config }
}

/** Options on a text stand beside it; the rest are parameters of the request. */
function instancesOf(texts: readonly string[], options: NonNullable<EmbedRequest['options']>): object {
  const { taskType, title, ...parameters } = options
  const own = { ...(taskType === undefined ? {} : { task_type: taskType }), ...(title === undefined ? {} : { title }) }
  const instances = texts.map(content => ({ content, ...own }))
  return Object.keys(parameters).length === 0 ? { instances } : { instances, parameters }
}
