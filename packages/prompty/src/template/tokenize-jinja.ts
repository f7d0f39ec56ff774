import { templateFault } from './template-fault.ts'

/** A token of an expression. `at` is its offset in the template. */
export interface JinjaToken {
  readonly type: 'name' | 'string' | 'number' | 'symbol'
  readonly text: string
  readonly at: number
}

/** A piece of a template before parsing. */
export type JinjaPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'output' | 'tag'; readonly tokens: readonly JinjaToken[]; readonly at: number }

const SYMBOLS = ['==', '!=', '<=', '>=', '(', ')', '[', ']', '.', ',', '|', '<', '>', ':', '=']
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /-?\d+(?:\.\d+)?/y
const SPACE = /\s+/y
const END_RAW = /\{%-?\s*endraw\s*-?%\}/g
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/**
 * Splits a template into text, outputs and tags in one pass. Comments are removed, and text in `{% raw %}` is kept unchanged.
 * @throws ParleyError `config-invalid` with the line.
 */
export function tokenizeJinja(source: string): readonly JinjaPiece[] {
  const pieces: JinjaPiece[] = []
  let trimNext = false
  const pushText = (from: number, to: number, trimEnd: boolean): void => {
    let text = source.slice(from, to)
    if (trimNext) text = text.trimStart()
    if (trimEnd) text = text.trimEnd()
    trimNext = false
    if (text !== '') pieces.push({ type: 'text', text })
  }
  let from = 0
  for (let at = nextOpening(source, 0); at >= 0; at = nextOpening(source, from)) {
    const kind = source[at + 1]
    const trimBefore = source[at + 2] === '-'
    pushText(from, at, trimBefore)
    const inner = at + (trimBefore ? 3 : 2)
    if (kind === '#') {
      const end = source.indexOf('#}', inner)
      if (end < 0) throw templateFault(source, at, "the comment is not closed by '#}'.")
      trimNext = source[end - 1] === '-' && end - 1 >= inner
      from = end + 2
      continue
    }
    const read = readTokens(source, { at, from: inner, close: kind === '{' ? '}}' : '%}' })
    trimNext = read.trimAfter
    from = read.end
    if (kind === '%' && read.tokens.length === 1 && read.tokens[0]?.text === 'raw') {
      from = readRaw(source, { at, from, pushText })
      trimNext = source[from - 3] === '-'
      continue
    }
    pieces.push({ type: kind === '{' ? 'output' : 'tag', tokens: read.tokens, at })
  }
  pushText(from, source.length, false)
  return pieces
}

function nextOpening(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source[at + 1]
    if (next === '{' || next === '%' || next === '#') return at
  }
  return -1
}

interface RawOptions {
  readonly at: number
  readonly from: number
  readonly pushText: (from: number, to: number, trimEnd: boolean) => void
}

/** Returns the position after `{% endraw %}`. */
function readRaw(source: string, { at, from, pushText }: RawOptions): number {
  END_RAW.lastIndex = from
  const end = END_RAW.exec(source)
  if (end === null) throw templateFault(source, at, "'{% raw %}' is not closed by '{% endraw %}'.")
  pushText(from, end.index, end[0].startsWith('{%-'))
  return end.index + end[0].length
}

interface ReadOptions {
  /** Start of the output or tag. */
  readonly at: number
  readonly from: number
  readonly close: '}}' | '%}'
}

function readTokens(
  source: string,
  { at, from, close }: ReadOptions,
): { readonly tokens: readonly JinjaToken[]; readonly end: number; readonly trimAfter: boolean } {
  const tokens: JinjaToken[] = []
  let position = from
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(source)?.[0]
  }
  while (position < source.length) {
    position += match(SPACE)?.length ?? 0
    if (source.startsWith(close, position)) return { tokens, end: position + 2, trimAfter: false }
    if (source[position] === '-' && source.startsWith(close, position + 1))
      return { tokens, end: position + 3, trimAfter: true }
    if (position >= source.length) break
    const quote = source[position]
    const start = position
    if (quote === '"' || quote === "'") {
      const string = readString(source, position)
      position = string.end
      tokens.push({ type: 'string', text: string.text, at: start })
      continue
    }
    const name = match(NAME)
    const number = name === undefined ? match(NUMBER) : undefined
    const symbol = name ?? number ?? SYMBOLS.find(candidate => source.startsWith(candidate, position))
    if (symbol === undefined)
      throw templateFault(source, position, `'${source[position]}' is not allowed in an expression.`)
    position += symbol.length
    tokens.push({
      type: name === undefined ? (number === undefined ? 'symbol' : 'number') : 'name',
      text: symbol,
      at: start,
    })
  }
  throw templateFault(source, at, `'${source.slice(at, at + 2)}' is not closed by '${close}'.`)
}

function readString(source: string, start: number): { readonly text: string; readonly end: number } {
  const quote = source[start]
  const parts: string[] = []
  let from = start + 1
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === quote) {
      parts.push(source.slice(from, at))
      return { text: parts.join(''), end: at + 1 }
    }
    if (character !== '\\') continue
    const escaped = source[at + 1] ?? ''
    parts.push(source.slice(from, at), ESCAPES[escaped] ?? escaped)
    at++
    from = at + 1
  }
  throw templateFault(source, start, 'the string is not closed.')
}
