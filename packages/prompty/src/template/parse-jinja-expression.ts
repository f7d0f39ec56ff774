import type { JinjaComparison, JinjaExpression, JinjaFilter } from './jinja-expression.ts'
import { JINJA_FILTERS } from './jinja-filters.ts'
import type { JinjaToken } from './tokenize-jinja.ts'
import { DEEPEST_NESTING, templateFault } from './template-fault.ts'

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

/** Parses the expressions of one output or tag. Calls and arithmetic are not supported. */
export class JinjaExpressionParser {
  readonly #source: string
  readonly #tokens: readonly JinjaToken[]
  /** Position for an error after the last token. */
  readonly #at: number
  #next = 0
  #depth = 0

  constructor(source: string, tokens: readonly JinjaToken[], at: number) {
    this.#source = source
    this.#tokens = tokens
    this.#at = at
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length
  }

  /** Consumes the next token if it has this text. */
  take(text: string): boolean {
    const token = this.#tokens[this.#next]
    if (token === undefined || token.text !== text || token.type === 'string' || token.type === 'number') return false
    this.#next++
    return true
  }

  takeName(): string {
    const token = this.#tokens[this.#next]
    if (token?.type !== 'name') return this.#fail('a name is missing')
    this.#next++
    return token.text
  }

  end(): void {
    if (!this.isAtEnd) this.#fail('is not expected here')
  }

  expression(): JinjaExpression {
    if (++this.#depth > DEEPEST_NESTING) this.#fail(`brackets nest more than ${DEEPEST_NESTING} deep`)
    const chosen = this.#chain('or', () => this.#chain('and', () => this.#not()))
    let result = chosen
    if (this.take('if')) {
      const condition = this.#chain('or', () => this.#chain('and', () => this.#not()))
      result = { type: 'choice', condition, chosen, otherwise: this.take('else') ? this.expression() : undefined }
    }
    this.#depth--
    return result
  }

  #chain(type: 'and' | 'or', operand: () => JinjaExpression): JinjaExpression {
    const first = operand()
    if (!this.#is(type)) return first
    const items = [first]
    while (this.take(type)) items.push(operand())
    return { type, items }
  }

  #not(): JinjaExpression {
    let negated = false
    let count = 0
    while (this.take('not')) {
      negated = !negated
      count++
    }
    const of = this.#comparison()
    if (count === 0) return of
    return negated ? { type: 'not', of } : { type: 'not', of: { type: 'not', of } }
  }

  #comparison(): JinjaExpression {
    const first = this.#filtered()
    if (this.take('is')) {
      const negated = this.take('not')
      const test = this.takeName()
      const wanted = Object.hasOwn(UNARY_TESTS, test) ? UNARY_TESTS[test] : undefined
      if (wanted === undefined) return this.#fail(`the test '${test}' is unknown; known: defined, undefined, none`)
      return { type: 'defined', of: first, wanted: wanted !== negated }
    }
    const rest: JinjaComparison[] = []
    for (;;) {
      const at = this.#offset()
      const operator = this.#operator()
      if (operator === undefined) break
      rest.push({ operator, operand: this.#filtered(), at })
    }
    return rest.length === 0 ? first : { type: 'compare', first, rest }
  }

  #operator(): JinjaComparison['operator'] | undefined {
    if (this.take('in')) return 'in'
    if (this.#is('not') && this.#tokens[this.#next + 1]?.text === 'in') {
      this.#next += 2
      return 'not in'
    }
    return OPERATORS.find(operator => this.take(operator))
  }

  #filtered(): JinjaExpression {
    const of = this.#path()
    const filters: JinjaFilter[] = []
    while (this.take('|')) {
      const at = this.#offset()
      const name = this.takeName()
      if (!Object.hasOwn(JINJA_FILTERS, name)) {
        this.#next--
        this.#fail(`is an unknown filter; known: ${Object.keys(JINJA_FILTERS).join(', ')}`)
      }
      filters.push({ name, arguments: this.take('(') ? this.#listUntil(')') : [], at })
    }
    return filters.length === 0 ? of : { type: 'filters', of, filters }
  }

  #path(): JinjaExpression {
    const of = this.#primary()
    const keys: JinjaExpression[] = []
    for (;;) {
      if (this.take('.')) {
        const token = this.#tokens[this.#next]
        const isIndex = token?.type === 'number' && /^\d+$/.test(token.text)
        if (isIndex) this.#next++
        keys.push({ type: 'constant', value: isIndex ? Number(token.text) : this.takeName() })
      } else if (this.take('[')) {
        keys.push(this.expression())
        if (!this.take(']')) this.#fail("']' is missing")
      } else if (this.#is('(')) this.#fail('a template cannot call functions')
      else break
    }
    return keys.length === 0 ? of : { type: 'path', of, keys }
  }

  #primary(): JinjaExpression {
    const token = this.#tokens[this.#next]
    if (token === undefined) return this.#fail('an expression is missing')
    if (this.take('(')) {
      const inner = this.expression()
      if (!this.take(')')) this.#fail("')' is missing")
      return inner
    }
    if (this.take('[')) return { type: 'list', items: this.#listUntil(']') }
    if (token.type === 'symbol') return this.#fail('is not expected here')
    this.#next++
    if (token.type === 'string') return { type: 'constant', value: token.text }
    if (token.type === 'number') return { type: 'constant', value: Number(token.text) }
    if (CONSTANTS.has(token.text)) return { type: 'constant', value: CONSTANTS.get(token.text) }
    return { type: 'name', name: token.text }
  }

  #listUntil(close: ')' | ']'): readonly JinjaExpression[] {
    const items: JinjaExpression[] = []
    while (!this.take(close)) {
      if (items.length > 0 && !this.take(',')) this.#fail(`'${close}' is missing`)
      if (this.take(close)) break
      items.push(this.expression())
    }
    return items
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#next]
    return token !== undefined && token.type !== 'string' && token.text === text
  }

  #offset(): number {
    return this.#tokens[this.#next]?.at ?? this.#at
  }

  #fail(problem: string): never {
    const token = this.#tokens[this.#next]
    const shown = token === undefined ? 'the expression ends too early' : `'${token.text.slice(0, 40)}'`
    throw templateFault(this.#source, this.#offset(), `${shown}: ${problem}.`)
  }
}
