import { ParleyError } from '@parley/core'

/** Refuses an expression with words a model can act on; `at` is the offset of the offending character. */
export function failExpression(detail: string, at?: number): never {
  const place = at === undefined ? '' : ` (at character ${at + 1})`
  throw new ParleyError({ code: 'tool-failed', tool: 'calculator', detail: `${detail}${place}` })
}
