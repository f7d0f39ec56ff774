/** Where a model is found: tuned ones and those of other publishers name their whole place. */
export function placeOf(id: string): string {
  return id.includes('/') ? id : `models/${id}`
}
