/** US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
  /** @default input */
  readonly cacheRead?: number | undefined
  /** @default input */
  readonly cacheWrite?: number | undefined
  /** Of writes that are kept for an hour. @default cacheWrite */
  readonly cacheWrite1h?: number | undefined
}

/** The prices of calls that send much. */
export interface PriceTier extends TokenPrices {
  /** They hold for all tokens of a call whose input, what a cache served or stored included, is longer than this. */
  readonly aboveInput: number
}

/** What a model's tokens cost. */
export interface ModelPricing extends TokenPrices {
  /** In any order; of those that hold, the one for the longest input counts. @default none */
  readonly tiers?: readonly PriceTier[] | undefined
  /** Where the figures were read. */
  readonly source: string
  /** When, `YYYY-MM-DD`. */
  readonly date: string
}
