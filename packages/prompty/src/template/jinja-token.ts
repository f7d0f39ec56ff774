/** A token of an expression. `at` is its offset in the template. */
export interface JinjaToken {
  readonly type: 'name' | 'string' | 'number' | 'symbol'
  readonly text: string
  readonly at: number
}

/** What a template is made of, before it is understood. */
export type JinjaPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'output' | 'tag'; readonly tokens: readonly JinjaToken[]; readonly at: number }
