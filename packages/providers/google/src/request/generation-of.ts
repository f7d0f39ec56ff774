/**
 * Returns the generation of a model: `gemini-3` for all 3.x models, or the id itself if it names no generation. Models accept
 * thought signatures of their own generation only.
 */
export function generationOf(id: string): string {
  return /gemini-\d+/.exec(id)?.[0] ?? id
}

/** Whether the model rejects its own past calls if they lack a thought signature. */
export function needsSignatures(id: string): boolean {
  const generation = /gemini-(\d+)/.exec(id)?.[1]
  return generation === undefined ? /gemini-.*latest/.test(id) : Number(generation) >= 3
}

/**
 * Whether the model rejects functions together with Google's own tools. For an id without a generation, the server
 * decides.
 */
export function cannotMixTools(id: string): boolean {
  const generation = /gemini-(\d+)/.exec(id)?.[1]
  return generation !== undefined && Number(generation) < 3
}
