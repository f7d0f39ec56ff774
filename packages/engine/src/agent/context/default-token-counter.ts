import { createTokenCounter } from './create-token-counter.ts'

/** Of a longer text only both ends are looked at: counting a megabyte would hold everything else up. */
const SAMPLE = 16_384

/** Thrown by a count that comes before `loadTokenizer`. */
export const NOT_LOADED = new Error('The tokenizer is not loaded yet.')

let tokenizer: ((text: string) => number) | undefined

/** Estimates without a vocabulary: within some percent for prose, code and most languages. */
export const defaultTokenCounter = createTokenCounter(estimate, { charsPerToken: 1 })

/** Loads what the default counter counts with; a process whose conversations plainly fit starts without it. */
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
