export interface Told {
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string }
}

/** Status and code of a refusal. */
export async function problemOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as Told
  return `${response.status} ${error.code}`
}
