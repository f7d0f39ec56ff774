/** Prices in US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
  /** Price of input tokens that a cache served. @default input */
  readonly cacheRead?: number | undefined
  /** Price of input tokens that are written to a cache. @default input */
  readonly cacheWrite?: number | undefined
  /** Price of cache writes that the provider keeps for an hour. @default cacheWrite */
  readonly cacheWrite1h?: number | undefined
}

/** Prices of calls with long input. */
export interface PriceTier extends TokenPrices {
  /** The tier applies to all tokens of a call with more input tokens than this. Cached tokens count as input. */
  readonly aboveInput: number
}

/** Prices of a model, for example `{ input: 0.25, output: 2 }`. */
export interface ModelPricing extends TokenPrices {
  /** Tiers in any order. If several apply, the one with the largest `aboveInput` counts. @default none */
  readonly tiers?: readonly PriceTier[] | undefined
  /** Address of the page with the prices. @default none */
  readonly source?: string | undefined
  /** Day on which the prices were read, `YYYY-MM-DD`. A cost names it as `pricedAt`. @default none */
  readonly date?: string | undefined
}
