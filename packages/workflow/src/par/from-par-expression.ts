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

/** Converts a P-A-R expression. @throws ParleyError `config-invalid` if a tag is unknown. */
export function fromParExpression(value: Json | undefined, path: string, names: ParNames): Expression {
  const [tag, first = null, second] = tagOf(value, path)
  const operand = (given: Json | undefined): Expression => fromParExpression(given, `${path}.${tag}`, names)
  const pair = PAIRS.get(tag)
  // All forms with two operands differ only in their name.
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
      return refuse(path, `the P-A-R expression '${tag}' is unknown`)
  }
}
