import { createTokenCounter } from './create-token-counter.ts'

/**
 * Number of characters at each end from which the tokens of a longer text are estimated. Counting a megabyte would
 * block the process.
 */
const SAMPLE = 16_384

/** Thrown by a count before `loadTokenizer`. */
export const NOT_LOADED = new Error('The tokenizer is not loaded yet.')

let tokenizer: ((text: string) => number) | undefined

/** Estimates tokens without a vocabulary, within a few percent for prose, code and most languages. */
export const defaultTokenCounter = createTokenCounter(estimate, { charsPerToken: 1 })

/** Loads the default tokenizer. A process whose conversations clearly fit never loads it. */
export function loadTokenizer(): Promise<void> | undefined {
  if (tokenizer !== undefined) return undefined
  return import('tokenx').then(({ estimateTokenCount }) => {
    tokenizer = estimateTokenCount
  })
}

function estimate(text: string): number {
  if (tokenizer === undefined) throw NOT_LOADED
  if (text.length <= 2 * SAMPLE) return Math.min(tokenizer(text), text.length)
  const ends = estimate(text.slice(0, SAMPLE)) + estimate(text.slice(-SAMPLE))
  return Math.ceil((ends * text.length) / (2 * SAMPLE))
}
