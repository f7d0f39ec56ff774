import type { JinjaComparison, JinjaExpression, JinjaFilter } from './jinja-expression.ts'
import { JINJA_FILTERS } from './jinja-filters.ts'
import type { JinjaTokens } from './jinja-tokens.ts'
import { DEEPEST_NESTING } from './template-fault.ts'

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
])
const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const
const UNARY_TESTS: Readonly<Record<string, boolean>> = { defined: true, undefined: false, none: false }

/** Parses the expressions in the tokens of one output or tag. Calls and arithmetic are not supported. */
export class JinjaExpressionParser {
  readonly #tokens: JinjaTokens
  #depth = 0

  constructor(tokens: JinjaTokens) {
    this.#tokens = tokens
  }

  expression(): JinjaExpression {
    if (++this.#depth > DEEPEST_NESTING) this.#tokens.fail(`brackets nest more than ${DEEPEST_NESTING} deep`)
    const chosen = this.#chain('or', () => this.#chain('and', () => this.#not()))
    let result = chosen
    if (this.#tokens.take('if')) {
      const condition = this.#chain('or', () => this.#chain('and', () => this.#not()))
      result = {
        type: 'choice',
        condition,
        chosen,
        otherwise: this.#tokens.take('else') ? this.expression() : undefined,
      }
    }
    this.#depth--
    return result
  }

  #chain(type: 'and' | 'or', operand: () => JinjaExpression): JinjaExpression {
    const first = operand()
    if (!this.#tokens.is(type)) return first
    const items = [first]
    while (this.#tokens.take(type)) items.push(operand())
    return { type, items }
  }

  #not(): JinjaExpression {
    let negated = false
    let count = 0
    while (this.#tokens.take('not')) {
      negated = !negated
      count++
    }
    const of = this.#comparison()
    if (count === 0) return of
    return negated ? { type: 'not', of } : { type: 'not', of: { type: 'not', of } }
  }

  #comparison(): JinjaExpression {
    const first = this.#filtered()
    if (this.#tokens.take('is')) {
      const negated = this.#tokens.take('not')
      const test = this.#tokens.takeName()
      const wanted = Object.hasOwn(UNARY_TESTS, test) ? UNARY_TESTS[test] : undefined
      if (wanted === undefined)
        return this.#tokens.fail(`the test '${test}' is unknown; known: defined, undefined, none`)
      return { type: 'defined', of: first, wanted: wanted !== negated }
    }
    const rest: JinjaComparison[] = []
    for (;;) {
      const at = this.#tokens.offset
      const operator = this.#operator()
      if (operator === undefined) break
      rest.push({ operator, operand: this.#filtered(), at })
    }
    return rest.length === 0 ? first : { type: 'compare', first, rest }
  }

  #operator(): JinjaComparison['operator'] | undefined {
    if (this.#tokens.take('in')) return 'in'
    if (this.#tokens.is('not') && this.#tokens.second?.text === 'in') {
      this.#tokens.skip(2)
      return 'not in'
    }
    return OPERATORS.find(operator => this.#tokens.take(operator))
  }

  #filtered(): JinjaExpression {
    const of = this.#path()
    const filters: JinjaFilter[] = []
    while (this.#tokens.take('|')) {
      const at = this.#tokens.offset
      const { next } = this.#tokens
      if (next?.type === 'name' && !Object.hasOwn(JINJA_FILTERS, next.text))
        this.#tokens.fail(`is an unknown filter; known: ${Object.keys(JINJA_FILTERS).join(', ')}`)
      const name = this.#tokens.takeName()
      filters.push({ name, arguments: this.#tokens.take('(') ? this.#listUntil(')') : [], at })
    }
    return filters.length === 0 ? of : { type: 'filters', of, filters }
  }

  #path(): JinjaExpression {
    const of = this.#primary()
    const keys: JinjaExpression[] = []
    for (;;) {
      if (this.#tokens.take('.')) {
        const token = this.#tokens.next
        const isIndex = token?.type === 'number' && /^\d+$/.test(token.text)
        if (isIndex) this.#tokens.skip()
        keys.push({ type: 'constant', value: isIndex ? Number(token.text) : this.#tokens.takeName() })
      } else if (this.#tokens.take('[')) {
        keys.push(this.expression())
        if (!this.#tokens.take(']')) this.#tokens.fail("']' is missing")
      } else if (this.#tokens.is('(')) this.#tokens.fail('a template cannot call functions')
      else break
    }
    return keys.length === 0 ? of : { type: 'path', of, keys }
  }

  #primary(): JinjaExpression {
    const token = this.#tokens.next
    if (token === undefined) return this.#tokens.fail('an expression is missing')
    if (this.#tokens.take('(')) {
      const inner = this.expression()
      if (!this.#tokens.take(')')) this.#tokens.fail("')' is missing")
      return inner
    }
    if (this.#tokens.take('[')) return { type: 'list', items: this.#listUntil(']') }
    if (token.type === 'symbol') return this.#tokens.fail('is not expected here')
    this.#tokens.skip()
    if (token.type === 'string') return { type: 'constant', value: token.text }
    if (token.type === 'number') return { type: 'constant', value: Number(token.text) }
    if (CONSTANTS.has(token.text)) return { type: 'constant', value: CONSTANTS.get(token.text) }
    return { type: 'name', name: token.text }
  }

  #listUntil(close: ')' | ']'): readonly JinjaExpression[] {
    const items: JinjaExpression[] = []
    while (!this.#tokens.take(close)) {
      if (items.length > 0 && !this.#tokens.take(',')) this.#tokens.fail(`'${close}' is missing`)
      if (this.#tokens.take(close)) break
      items.push(this.expression())
    }
    return items
  }
}
