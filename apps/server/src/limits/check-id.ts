import { Problem } from '../problem/problem.ts'

const MAX_LENGTH = 256

/** @throws Problem 400 for an id of a client that is empty or very long. */
export function checkId(field: string, id: string | undefined): void {
  if (id === undefined || (id !== '' && id.length <= MAX_LENGTH)) return
  throw new Problem(400, 'INVALID_PARAMETER', { message: `${field}: must have 1 to ${MAX_LENGTH} characters` })
}
