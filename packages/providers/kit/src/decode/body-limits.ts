import { ParleyError } from '@parley/core'

/**
 * Longest line of a stream, and most data of one event, in characters. The same limit as for messages of AWS event streams.
 * Without a limit, a line without an end would fill the memory until V8 throws a `RangeError`.
 */
export const LONGEST_EVENT = 32 * 1024 * 1024

/**
 * Longest answer in bytes, streamed or whole. The longest ones are lists of embeddings: 2048 vectors of 3072 numbers have
 * about 90 MB.
 */
export const LONGEST_ANSWER = 128 * 1024 * 1024

/** Creates the error for input that cannot be read. */
export type Broken = (detail: string) => ParleyError

/** Creates the error for input that cannot be read, for a parser that was created without `broken`. */
export function brokenStream(detail: string): ParleyError {
  return new ParleyError({ code: 'model-stream', provider: 'unknown', detail })
}
