import { ParleyError, type Json } from '@parley/core'
import { encodeJson, fieldsOf, listOf, type Http } from '@parley/provider-kit'

export interface EmbedRequest {
  readonly model: string
  readonly input: readonly string[]
  /** More fields for the wire, such as `dimensions`. @default {} */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Asks `POST /embeddings`. One text is sent as it is, several as a list. */
export async function embed(
  http: Http,
  provider: string,
  { model, input, options = {}, signal }: EmbedRequest,
): Promise<readonly (readonly number[])[]> {
  const [only] = input
  const body = encodeJson({ ...options, model, input: input.length === 1 ? only : input })
  const items = listOf(fieldsOf(await http.json({ path: 'embeddings', body: () => body, signal }))?.['data'])
  const found = items.map((item, position) => {
    const { embedding, index } = fieldsOf(item) ?? {}
    return { vector: listOf(embedding), place: typeof index === 'number' ? index : position }
  })
  if (found.length !== input.length || !found.every(({ vector }) => vector.length > 0 && vector.every(isNumber)))
    throw new ParleyError({
      code: 'model-stream',
      provider,
      model,
      detail: `It sent ${found.length} embeddings for ${input.length} texts, or what is none.`,
    })
  return found.sort((a, b) => a.place - b.place).map(({ vector }) => vector as readonly number[])
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
