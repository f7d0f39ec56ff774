import type { Json } from '@parley/core'
import type { Expression } from '../expression/expression.ts'
import { refuse } from '../template/site.ts'
import { rewritePath, type ParNames } from './par-names.ts'
import { tagOf, textOf } from './par-values.ts'

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['Equals', 'equals'],
  ['Not_equals', 'notEquals'],
  ['Greater_than', 'greaterThan'],
  ['Less_than', 'lessThan'],
  ['And', 'and'],
  ['Or', 'or'],
  ['Contains', 'contains'],
])

/** @throws ParleyError `config-invalid` for a tag that is none. */
export function fromParExpression(value: Json | undefined, path: string, names: ParNames): Expression {
  const [tag, first = null, second] = tagOf(value, path)
  const operand = (given: Json | undefined): Expression => fromParExpression(given, `${path}.${tag}`, names)
  const pair = PAIRS.get(tag)
  // One of the forms with two operands, told by its name alone.
  if (pair !== undefined) return { [pair]: [operand(first), operand(second)] } as unknown as Expression
  switch (tag) {
    case 'Literal':
      return { literal: first }
    case 'Variable':
      return { variable: rewritePath(textOf(first, path), names) }
    case 'Not':
      return { not: operand(first) }
    case 'Is_empty':
      return { isEmpty: operand(first) }
    case 'Has_key':
      return { hasKey: [operand(first), textOf(second, path)] }
    case 'Matches':
      return { matches: [operand(first), textOf(second, path)] }
    default:
      return refuse(path, `'${tag}' is no expression of P-A-R`)
  }
}
