import { checkVectors, encodeJson, fieldsOf, listOf, type EmbedRequest, type Http } from '@parley/provider-kit'
import { placeOf } from './place-of.ts'

// What one request may hold.
const MOST_TEXTS = 100

/** Asks `models/{id}:batchEmbedContents`, as often as the number of texts makes it necessary. */
export async function embed(
  http: Http,
  provider: string,
  { model, input, options = {}, signal }: EmbedRequest,
): Promise<readonly (readonly number[])[]> {
  const place = placeOf(model)
  const vectors: (readonly number[])[] = []
  for (let from = 0; from < input.length; from += MOST_TEXTS) {
    const texts = input.slice(from, from + MOST_TEXTS)
    const requests = texts.map(text => ({ ...options, model: place, content: { parts: [{ text }] } }))
    const body = encodeJson({ requests })
    const answer = await http.json({ path: `${encodeURI(place)}:batchEmbedContents`, body: () => body, signal })
    const found = listOf(fieldsOf(answer)?.['embeddings']).map(each => fieldsOf(each)?.['values'])
    vectors.push(...checkVectors(found, { provider, model, count: texts.length }))
  }
  return vectors
}
