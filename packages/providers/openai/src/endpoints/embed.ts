import {
  checkVectors,
  encodeJson,
  fieldsOf,
  listOf,
  type EmbedRequest,
  type Http,
  type Vectors,
} from '@parley/provider-kit'

/** Embeds texts with `POST /embeddings`. A single text is sent as a string, several texts as a list. */
export async function embed(
  http: Http,
  provider: string,
  { model, input, options = {}, signal }: EmbedRequest,
): Promise<Vectors> {
  const [only] = input
  if (only === undefined) return []
  const body = encodeJson({ ...options, model, input: input.length === 1 ? only : input })
  const items = listOf(fieldsOf(await http.json({ path: 'embeddings', body: () => body, signal }))?.['data'])
  const found = items.map((item, position) => {
    const { embedding, index } = fieldsOf(item) ?? {}
    return { vector: embedding, place: typeof index === 'number' ? index : position }
  })
  const vectors = found.toSorted((a, b) => a.place - b.place).map(({ vector }) => vector)
  return checkVectors(vectors, { provider, model, count: input.length })
}
