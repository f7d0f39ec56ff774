import { ParleyError } from '@parley/core'

export interface CheckVectorsOptions {
  readonly provider: string
  readonly model: string
  /** How many texts were sent. */
  readonly count: number
}

/** What a server sent as the vectors of some texts. @throws `model-stream` unless there is one of numbers for each text. */
export function checkVectors(
  found: readonly unknown[],
  { provider, model, count }: CheckVectorsOptions,
): readonly (readonly number[])[] {
  if (found.length === count && found.every(isVector)) return found
  const detail = `It sent ${found.length} embeddings for ${count} texts, or what is none.`
  throw new ParleyError({ code: 'model-stream', provider, model, detail })
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'number')
}
