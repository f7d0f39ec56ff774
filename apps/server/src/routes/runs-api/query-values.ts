import { invalidParameter } from '../../problem/problem.ts'
import type { RunsRequest } from './runs-route.ts'

type Query = Pick<RunsRequest, 'query'>

/** Reads a query parameter as an integer. @throws Problem 400 if it is not one, or outside its bounds. */
export function integerOf(
  { query }: Query,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): number | undefined {
  const text = query(name)
  if (text === undefined) return undefined
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw invalidParameter(`${name}: must be an integer from ${min} to ${max}`)
}

/** Reads a query parameter that has one of these values. @throws Problem 400 if it has another one. */
export function choiceOf<TChoice extends string>(
  { query }: Query,
  name: string,
  choices: readonly TChoice[],
): TChoice | undefined {
  const text = query(name)
  if (text === undefined) return undefined
  const found = choices.find(choice => choice === text)
  if (found === undefined) throw invalidParameter(`${name}: must be one of ${choices.join(', ')}`)
  return found
}

/** Largest page of a list. */
const MAX_PAGE = 1_000

/** Reads the length of a page. @throws Problem 400 if it is invalid. */
export function limitOf(request: Query, fallback: number): number {
  return integerOf(request, 'limit', { min: 1, max: MAX_PAGE }) ?? fallback
}
