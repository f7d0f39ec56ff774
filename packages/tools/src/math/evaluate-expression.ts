import { add, divide, factorial, modulo, multiply, power, subtract } from './arithmetic.ts'
import { failExpression } from './fail-expression.ts'
import { CONSTANTS, FUNCTIONS } from './math-functions.ts'
import type { MathValue } from './math-value.ts'
import { tokenizeExpression, type Token } from './tokenize-expression.ts'

/** Maximum length of an expression, in characters. */
const MAX_LENGTH = 100_000
/** Maximum nesting of parentheses, signs and powers. */
const MAX_DEPTH = 200

interface Infix {
  readonly binding: number
  /** Binding power for the right operand. If it equals `binding`, the operator is right-associative. */
  readonly right: number
  readonly apply: (a: MathValue, b: MathValue) => MathValue
}

const SIGN_BINDING = 25
const INFIX: ReadonlyMap<string, Infix> = new Map([
  ['+', { binding: 10, right: 11, apply: add }],
  ['-', { binding: 10, right: 11, apply: subtract }],
  ['*', { binding: 20, right: 21, apply: multiply }],
  ['/', { binding: 20, right: 21, apply: divide }],
  ['%', { binding: 20, right: 21, apply: modulo }],
  ['^', { binding: 30, right: 30, apply: power }],
])

interface Reader {
  readonly tokens: readonly Token[]
  position: number
  depth: number
}

/**
 * Evaluates an arithmetic expression in time linear in its length. Integers stay exact (`bigint`, up to 1,000 digits) through
 * `+ - * % ^ !` and through divisions without a remainder. Every other result is a `number`.
 * @throws ParleyError `tool-failed` if the expression is invalid. The error says how to write it.
 */
export function evaluateExpression(expression: string): bigint | number {
  if (expression.length > MAX_LENGTH) {
    failExpression(`The expression has ${expression.length} characters; the limit is ${MAX_LENGTH}. Split it up.`)
  }
  const reader: Reader = { tokens: tokenizeExpression(expression), position: 0, depth: 0 }
  if (peek(reader).type === 'end') failExpression("The expression is empty. Give one such as '2 * (3 + 4)'.")
  const value = readExpression(reader, 0)
  const rest = peek(reader)
  return rest.type === 'end' ? value : failRest(reader, rest)
}

function peek({ tokens, position }: Reader): Token {
  return tokens[Math.min(position, tokens.length - 1)] as Token
}

function next(reader: Reader): Token {
  const token = peek(reader)
  reader.position++
  return token
}

function readExpression(reader: Reader, minimum: number): MathValue {
  reader.depth++
  if (reader.depth > MAX_DEPTH) {
    failExpression(`The expression is nested more than ${MAX_DEPTH} levels deep. Evaluate inner parts first.`)
  }
  let left = readOperand(reader)
  for (;;) {
    const token = peek(reader)
    const infix = token.type === 'symbol' ? INFIX.get(token.text) : undefined
    if (infix === undefined || infix.binding < minimum) break
    reader.position++
    left = infix.apply(left, readExpression(reader, infix.right))
  }
  reader.depth--
  return left
}

function readOperand(reader: Reader): MathValue {
  const token = next(reader)
  switch (token.type) {
    case 'number':
      return readFactorial(reader, token.value)
    case 'name':
      return readFactorial(reader, readName(reader, token))
    case 'end':
      return failOperand(reader, token)
    case 'symbol':
      if (token.text === '(') return readFactorial(reader, readGroup(reader, token))
      // A sign binds less tightly than a power (-2^2 is -4) and more tightly than a product.
      if (token.text === '-') return subtract(0n, readExpression(reader, SIGN_BINDING))
      if (token.text === '+') return readExpression(reader, SIGN_BINDING)
      return failOperand(reader, token)
  }
}

function readFactorial(reader: Reader, operand: MathValue): MathValue {
  const token = peek(reader)
  if (token.text !== '!') return operand
  reader.position++
  if (peek(reader).text === '!') failExpression("'!!' is ambiguous. Write (x!)! for the factorial twice.", token.at)
  return factorial(operand)
}

function readGroup(reader: Reader, open: Token): MathValue {
  const value = readExpression(reader, 0)
  const token = next(reader)
  if (token.text === ')') return value
  if (token.type === 'end') failExpression("A ')' is missing for the '('.", open.at)
  return failRest(reader, token)
}

function readName(reader: Reader, { text, at }: Token): MathValue {
  const constant = CONSTANTS.get(text)
  if (constant !== undefined) return constant
  const known = FUNCTIONS.get(text)
  if (known === undefined) {
    const functions = [...FUNCTIONS.keys()].join(', ')
    failExpression(`'${text}' is not known. Functions: ${functions}. Constants: pi, e, tau.`, at)
  }
  if (peek(reader).text !== '(') failExpression(`'${text}' is a function. Write ${text}(x).`, at)
  const values = readArguments(reader, { text, at })
  const { least, most, apply } = known
  if (values.length < least || values.length > most) {
    const wanted = most === least ? `${least}` : most === Infinity ? `at least ${least}` : `${least} or ${most}`
    failExpression(`${text}() takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${values.length}.`, at)
  }
  return apply(values)
}

function readArguments(reader: Reader, { text, at }: Pick<Token, 'text' | 'at'>): MathValue[] {
  reader.position++
  const values: MathValue[] = []
  if (peek(reader).text === ')') {
    reader.position++
    return values
  }
  for (;;) {
    values.push(readExpression(reader, 0))
    const token = next(reader)
    if (token.text === ')') return values
    if (token.type === 'end') failExpression(`A ')' is missing for '${text}('.`, at)
    if (token.text !== ',') failRest(reader, token)
  }
}

/** Fails for a token that follows a complete value without an operator between them. */
function failRest(reader: Reader, { type, text, at }: Token): never {
  if (text === ',') failExpression("Outside a function there are no commas. Write 1234, not '1,234'.", at)
  if (text === ')') failExpression("A ')' has no matching '('.", at)
  const before = reader.tokens[reader.tokens.findIndex(token => token.at === at) - 1]
  if (type === 'number' && before?.type === 'number') {
    failExpression(`Two numbers stand side by side: '${before.text} ${text}'. Put an operator between them.`, at)
  }
  if (text.startsWith('_')) failExpression("Numbers have no separators. Write 1000, not '1_000'.", at)
  failExpression(`An operator is missing before '${text}'. Multiplication is written out: 2*pi, 2*(3+4).`, at)
}

function failOperand(reader: Reader, { text, at }: Token): never {
  const before = reader.tokens[reader.position - 2]
  if (before?.text === '%') {
    failExpression("'%' is the remainder of a division. Write a percentage as a fraction: 5/100.", before.at)
  }
  return failExpression(`A number is expected, not ${text === 'the end' ? text : `'${text}'`}.`, at)
}
