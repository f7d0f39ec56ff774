/** The body of an HTTP error. */
export interface ProblemBody {
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string }
}

/** Reads the status and the code of an HTTP error. */
export async function problemOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as ProblemBody
  return `${response.status} ${error.code}`
}
