import { invalidParameter } from '../problem/problem.ts'

const MAX_LENGTH = 256

/** Checks an id that a client sent. @throws Problem 400 if a client's id is empty or longer than 256 characters. */
export function checkId(field: string, id: string | undefined): void {
  if (id === undefined || (id !== '' && id.length <= MAX_LENGTH)) return
  throw invalidParameter(`${field}: must have 1 to ${MAX_LENGTH} characters`)
}
