import { ParleyError } from '@parley/core'

/**
 * Rejects an expression with a sentence that the model can act on.
 * @param at Offset of the invalid character, from 0.
 */
export function failExpression(detail: string, at?: number): never {
  const place = at === undefined ? '' : ` (at character ${at + 1})`
  throw new ParleyError({ code: 'tool-failed', tool: 'calculator', detail: `${detail}${place}` })
}
