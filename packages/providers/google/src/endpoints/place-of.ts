/** Where a model is found: tuned ones and those of other publishers name their whole place. */
export function placeOf(id: string): string {
  return id.includes('/') ? id : `models/${id}`
}

const WHOLE_PLACE = /^(publishers|projects|models|endpoints)\//

/** Where a model is found at Vertex AI, within a project; `maker/model` is one of another publisher. */
export function vertexPlaceOf(id: string): string {
  if (WHOLE_PLACE.test(id)) return id
  const [publisher = '', ...rest] = id.split('/')
  return rest.length === 0 ? `publishers/google/models/${id}` : `publishers/${publisher}/models/${rest.join('/')}`
}
