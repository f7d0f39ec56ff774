/**
 * Returns the path of a model at the Gemini API. The id of a tuned model, or of a model of another publisher, is
 * already a whole path.
 */
export function modelPath(id: string): string {
  return id.includes('/') ? id : `models/${id}`
}

const WHOLE_PATH = /^(publishers|projects|models|endpoints)\//

/** Returns the path of a model at Vertex AI, within a project. `maker/model` is a model of another publisher. */
export function vertexModelPath(id: string): string {
  if (WHOLE_PATH.test(id)) return id
  const [publisher = '', ...rest] = id.split('/')
  return rest.length === 0 ? `publishers/google/models/${id}` : `publishers/${publisher}/models/${rest.join('/')}`
}
