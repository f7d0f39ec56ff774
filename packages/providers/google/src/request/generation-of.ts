/**
 * The generation of a model, which decides whose thought signatures it takes: `gemini-3` for all of 3.x; the id itself
 * where it tells no generation.
 */
export function generationOf(id: string): string {
  return /gemini-\d+/.exec(id)?.[0] ?? id
}

/** Whether the model refuses calls of its own turn that bear no thought signature. */
export function needsSignatures(id: string): boolean {
  const generation = /gemini-(\d+)/.exec(id)?.[1]
  return generation === undefined ? /gemini-.*latest/.test(id) : Number(generation) >= 3
}

/** Whether the model takes either functions or Google's own tools. An id that tells no generation is left to the server. */
export function cannotMixTools(id: string): boolean {
  const generation = /gemini-(\d+)/.exec(id)?.[1]
  return generation !== undefined && Number(generation) < 3
}
