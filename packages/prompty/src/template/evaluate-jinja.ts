import { isTruthy, ownValue, sameValue, valueText } from './inert-value.ts'
import type { JinjaComparison, JinjaExpression } from './jinja-expression.ts'
import { JINJA_FILTERS } from './jinja-filters.ts'
import type { JinjaScope } from './jinja-scope.ts'

export interface JinjaEvaluation {
  readonly scope: JinjaScope
  /** Called with the amount of work, which is limited. */
  readonly charge: (steps: number) => void
}

// The work on a string counts by its length.
const CHARACTERS_PER_STEP = 100

/**
 * Evaluates an expression. It reads own properties only, and calls only the built-in filters.
 * @throws RangeError if values do not fit an operation.
 */
export function evaluateJinja(expression: JinjaExpression, evaluation: JinjaEvaluation): unknown {
  const { scope, charge } = evaluation
  const evaluate = (inner: JinjaExpression): unknown => evaluateJinja(inner, evaluation)
  charge(1)
  switch (expression.type) {
    case 'constant':
      return expression.value
    case 'name':
      return scope.lookup(expression.name).value
    case 'list':
      return expression.items.map(evaluate)
    case 'path':
      return expression.keys.reduce((value, key) => member(value, evaluate(key)), evaluate(expression.of))
    case 'filters':
      return expression.filters.reduce((value, { name, arguments: given }) => {
        charge(typeof value === 'string' ? 1 + value.length / CHARACTERS_PER_STEP : 1)
        return JINJA_FILTERS[name]?.(value, given.map(evaluate))
      }, evaluate(expression.of))
    case 'not':
      return !isTruthy(evaluate(expression.of))
    case 'and':
    case 'or':
      return evaluateChain(expression, evaluate)
    case 'compare':
      return evaluateComparison(expression.first, expression.rest, evaluate)
    case 'defined': {
      const value = evaluate(expression.of)
      return (value !== undefined && value !== null) === expression.wanted
    }
    case 'choice':
      if (isTruthy(evaluate(expression.condition))) return evaluate(expression.chosen)
      return expression.otherwise === undefined ? undefined : evaluate(expression.otherwise)
  }
}

/** Returns the inputs that an expression reads, in the order of the expression. */
export function sourcesOf(expression: JinjaExpression, scope: JinjaScope): readonly string[] {
  const found: string[] = []
  const visit = (inner: JinjaExpression): void => {
    switch (inner.type) {
      case 'constant':
        return
      case 'name': {
        const { source } = scope.lookup(inner.name)
        if (source !== undefined) found.push(source)
        return
      }
      case 'list':
      case 'and':
      case 'or':
        return inner.items.forEach(visit)
      case 'path':
        visit(inner.of)
        return inner.keys.forEach(visit)
      case 'filters':
        visit(inner.of)
        return inner.filters.forEach(filter => filter.arguments.forEach(visit))
      case 'not':
      case 'defined':
        return visit(inner.of)
      case 'compare':
        visit(inner.first)
        return inner.rest.forEach(({ operand }) => visit(operand))
      case 'choice':
        visit(inner.chosen)
        visit(inner.condition)
        return inner.otherwise === undefined ? undefined : visit(inner.otherwise)
    }
  }
  visit(expression)
  return found
}

function member(holder: unknown, key: unknown): unknown {
  return typeof key === 'string' || typeof key === 'number' ? ownValue(holder, key) : undefined
}

function evaluateChain(
  { type, items }: Extract<JinjaExpression, { type: 'and' | 'or' }>,
  evaluate: (inner: JinjaExpression) => unknown,
): unknown {
  let value: unknown
  for (const item of items) {
    value = evaluate(item)
    if (isTruthy(value) === (type === 'or')) return value
  }
  return value
}

function evaluateComparison(
  first: JinjaExpression,
  rest: readonly JinjaComparison[],
  evaluate: (inner: JinjaExpression) => unknown,
): boolean {
  let left = evaluate(first)
  for (const { operator, operand } of rest) {
    const right = evaluate(operand)
    if (!compare(left, operator, right)) return false
    left = right
  }
  return true
}

function compare(left: unknown, operator: JinjaComparison['operator'], right: unknown): boolean {
  switch (operator) {
    case '==':
      return sameValue(left, right)
    case '!=':
      return !sameValue(left, right)
    case 'in':
      return contains(right, left)
    case 'not in':
      return !contains(right, left)
    case '<':
      return order(left, right) < 0
    case '<=':
      return order(left, right) <= 0
    case '>':
      return order(left, right) > 0
    case '>=':
      return order(left, right) >= 0
  }
}

function contains(holder: unknown, item: unknown): boolean {
  if (Array.isArray(holder)) return holder.some(entry => sameValue(entry, item))
  if (typeof holder === 'string') return holder.includes(valueText(item))
  if (typeof holder !== 'object' || holder === null) return false
  return (typeof item === 'string' || typeof item === 'number') && Object.hasOwn(holder, item)
}

function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right)
  throw new RangeError(`${show(left)} and ${show(right)} cannot be ordered; compare two numbers or two strings`)
}

function show(value: unknown): string {
  return value === undefined ? 'an undefined value' : `'${valueText(value).slice(0, 40)}'`
}
