import type { Json } from '@parley/core'

/** Texts to make vectors of. */
export interface EmbedRequest {
  readonly model: string
  /** The vectors come in the order of these. For none, nothing is asked. */
  readonly input: readonly string[]
  /** More fields for the wire, under the names its API has for them. @default {} */
  readonly options?: Readonly<Record<string, Json>> | undefined
  readonly signal?: AbortSignal | undefined
}
