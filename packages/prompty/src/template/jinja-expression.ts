/** An expression of a template. Chains such as `a and b and c` are lists, so that long chains do not nest. */
export type JinjaExpression =
  | { readonly type: 'constant'; readonly value: unknown }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list'; readonly items: readonly JinjaExpression[] }
  | { readonly type: 'path'; readonly of: JinjaExpression; readonly keys: readonly JinjaExpression[] }
  | { readonly type: 'filters'; readonly of: JinjaExpression; readonly filters: readonly JinjaFilter[] }
  | { readonly type: 'not'; readonly of: JinjaExpression }
  | { readonly type: 'and' | 'or'; readonly items: readonly JinjaExpression[] }
  | { readonly type: 'compare'; readonly first: JinjaExpression; readonly rest: readonly JinjaComparison[] }
  | { readonly type: 'defined'; readonly of: JinjaExpression; readonly wanted: boolean }
  | {
      readonly type: 'choice'
      readonly condition: JinjaExpression
      readonly chosen: JinjaExpression
      readonly otherwise: JinjaExpression | undefined
    }

export interface JinjaFilter {
  readonly name: string
  readonly arguments: readonly JinjaExpression[]
  readonly at: number
}

export interface JinjaComparison {
  readonly operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'
  readonly operand: JinjaExpression
  readonly at: number
}
