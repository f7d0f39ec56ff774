import * as z from 'zod'

const tokens = z.int().min(0)

/**
 * Tokens of one or more model calls. `reasoning` is part of `output`, and `cacheWrite1h` is part of `cacheWrite`. The
 * other fields never count the same token.
 */
export const usageSchema = z.object({
  /** Input tokens that were neither read from a cache nor written to it. */
  input: tokens,
  output: tokens,
  reasoning: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  /** Cache writes that the provider keeps for an hour. Absent if the provider does not report them. */
  cacheWrite1h: tokens.exactOptional(),
})
/** Tokens of one or more model calls. */
export interface Usage {
  /** Input tokens that were neither read from a cache nor written to it. */
  input: number
  output: number
  /** Output tokens of the model's reasoning. They are part of `output`. */
  reasoning: number
  cacheRead: number
  cacheWrite: number
  /** Cache writes that the provider keeps for an hour, as part of `cacheWrite`. Absent if the provider does not report them. */
  cacheWrite1h?: number
}

/** Cost of model calls, computed from a price table or reported by the provider. */
export const costSchema = z.object({
  usd: z.number().min(0),
  /** Date of the price table, or of the call whose price the provider reported, `YYYY-MM-DD`. Absent if the table has no date. */
  pricedAt: z.string().optional(),
})
/** What the calls of one model used. */
export const modelUsageSchema = z.object({
  /** Name of the model, as `provider/id`. `context:` and the name of a context policy for the calls that the policy made. */
  model: z.string(),
  /** Calls, failed ones included. */
  calls: z.int().min(0),
  usage: usageSchema,
  cost: costSchema.optional(),
})
/** What the calls of one model used. */
export interface ModelUsage {
  /** Name of the model, as `provider/id`. `context:` and the name of a context policy for the calls that the policy made. */
  model: string
  /** Calls, failed ones included. */
  calls: number
  usage: Usage
  /** Absent if no price is known. */
  cost?: Cost | undefined
}

/** Cost of model calls in US dollars. */
export interface Cost {
  usd: number
  /** Date of the price table, or of the call whose price the provider reported, `YYYY-MM-DD`. Absent if the table has no date. */
  pricedAt?: string | undefined
}
