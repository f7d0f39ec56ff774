import * as z from 'zod'

const tokens = z.int().min(0)

/**
 * Tokens of one or more model calls. All fields are disjoint but `reasoning`, which is part of `output`, and `cacheWrite1h`,
 * which is part of `cacheWrite`.
 */
export const usageSchema = z.object({
  /** Input tokens that were not served from a cache. */
  input: tokens,
  output: tokens,
  reasoning: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  /** Written to be kept for an hour, where the provider tells. */
  cacheWrite1h: tokens.exactOptional(),
})
export type Usage = z.infer<typeof usageSchema>

/** Money, by the price table named or as the provider charged it. */
export const costSchema = z.object({
  usd: z.number().min(0),
  /** Date of the price table the figure was computed with, or of the call the provider charged, `YYYY-MM-DD`. */
  pricedAt: z.string(),
})
export type Cost = z.infer<typeof costSchema>
