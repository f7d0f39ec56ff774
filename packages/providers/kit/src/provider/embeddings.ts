import { ParleyError, type Json } from '@parley/core'

/** One vector for each text of an {@link EmbedRequest}, in the order of the texts. */
export type Vectors = readonly (readonly number[])[]

/** Texts to embed. */
export interface EmbedRequest {
  /** Id of the embedding model. */
  readonly model: string
  /** The texts. For an empty list the provider sends no request. */
  readonly input: readonly string[]
  /** More fields for the request body, under the names that the provider's API uses. @default {} */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Implemented by providers that can embed texts. */
export interface Embeddings {
  /**
   * Embeds texts: one vector for each text, in their order.
   * @throws `ParleyError` with a `model-…` code, or `signal.reason`.
   */
  embed(request: EmbedRequest): Promise<Vectors>
}

export interface CheckVectorsOptions {
  /** Name of the provider, for the error message. */ readonly provider: string
  /** Id of the model, for the error message. */ readonly model: string
  /** Number of texts in the request. */
  readonly count: number
}

/**
 * Returns the vectors of a response once they are checked.
 * @throws `model-stream` unless there is a non-empty list of numbers for each text.
 */
export function checkVectors(found: readonly unknown[], { provider, model, count }: CheckVectorsOptions): Vectors {
  if (found.length === count && found.every(isVector)) return found
  const detail = `The server sent ${found.length} embeddings for ${count} texts; it must send a list of numbers for each text.`
  throw new ParleyError({ code: 'model-stream', provider, model, detail })
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'number')
}
