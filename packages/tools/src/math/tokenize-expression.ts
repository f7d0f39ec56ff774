import { failExpression } from './fail-expression.ts'
import { fits, MAX_DIGITS, type MathValue } from './math-value.ts'

export type Token =
  | { readonly type: 'number'; readonly value: MathValue; readonly text: string; readonly at: number }
  | { readonly type: 'name'; readonly text: string; readonly at: number }
  | { readonly type: 'symbol'; readonly text: string; readonly at: number }
  | { readonly type: 'end'; readonly text: string; readonly at: number }

const BLANK = /\s+/y
const RADIX = /0(?:x[0-9a-f]+|b[01]+|o[0-7]+)(?![0-9a-z_])/iy
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const NAME = /[a-z_πτ][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?/iy
const SYMBOL = /\*\*|[-+*/%^!(),]/y

const SPELLINGS: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-', '**': '^' }

/** Splits an expression into tokens in one pass. The last token is always `end`. */
export function tokenizeExpression(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  function take(expression: RegExp): string | undefined {
    expression.lastIndex = at
    return expression.exec(text)?.[0]
  }
  while (at < text.length) {
    const blank = take(BLANK)
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    const token = nextToken(take, text, at)
    tokens.push(token.token)
    at += token.length
  }
  tokens.push({ type: 'end', text: 'the end', at })
  return tokens
}

function nextToken(
  take: (expression: RegExp) => string | undefined,
  text: string,
  at: number,
): { readonly token: Token; readonly length: number } {
  const number = take(RADIX) ?? take(NUMBER)
  if (number !== undefined) {
    return { token: { type: 'number', value: toValue(number, at), text: number, at }, length: number.length }
  }
  const name = take(NAME)
  if (name !== undefined) {
    return { token: { type: 'name', text: name.toLowerCase().replace(/^math\./, ''), at }, length: name.length }
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  const symbol = take(SYMBOL) ?? (character in SPELLINGS ? character : undefined)
  if (symbol !== undefined) {
    return { token: { type: 'symbol', text: SPELLINGS[symbol] ?? symbol, at }, length: symbol.length }
  }
  return failExpression(`'${character}' is not part of an expression. ${adviceFor(character)}`, at)
}

function adviceFor(character: string): string {
  if ('$€£¥'.includes(character)) return 'Leave out currency signs.'
  if ('=<>'.includes(character)) return 'Give one expression to evaluate, without comparisons or equations.'
  if ('[]{}'.includes(character)) return 'Use round parentheses.'
  if (character === '√') return 'Write sqrt(x).'
  return 'Use numbers, + - * / % ^ !, parentheses, and the listed functions and constants.'
}

function toValue(text: string, at: number): MathValue {
  if (/^0[xbo]/i.test(text) || /^\d+$/.test(text)) {
    // Checked before `BigInt`, whose cost grows faster than the length.
    if (text.length <= 4 * MAX_DIGITS) {
      const exact = BigInt(text)
      if (fits(exact)) return exact
    }
    return failExpression(`The number has more than ${MAX_DIGITS} digits. Write it in scientific notation.`, at)
  }
  const value = Number(text)
  if (!Number.isFinite(value)) return failExpression(`${text} is too large; the largest number is about 1.8e308.`, at)
  return value
}
