/** The options of `parley eval`. */
export interface EvalFlags {
  readonly db: string
  readonly filter?: string
  readonly trials?: number
  readonly concurrency?: number
  readonly maxCost?: number
  readonly compare?: string
  readonly html?: string
  readonly junit?: string
  readonly json?: boolean
  readonly fresh?: boolean
  readonly watch?: boolean
}
