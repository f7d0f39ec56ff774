/** Largest number of characters that are encoded at once: about the memory that one slow reader holds. */
export const PIECE_CHARS = 32 * 1024

/** Characters that JSON text may contain, but that Python's `splitlines` and some SSE clients treat as line ends. */
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** Any other character than those that JSON and `SEPARATORS` leave as they are. Surrogates count, because one may be alone. */
const NEEDS_ESCAPE = /[^ !#-[\]-\u0084\u0086-\u2027\u202a-\ud7ff\ue000-\uffff]/

/** Encodes a value as JSON on one line, for clients that treat more characters than LF as line ends. */
export function encodeLine(value: unknown): string {
  return JSON.stringify(value).replace(
    SEPARATORS,
    separator => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Estimates the number of characters of a JSON value. Stops counting above `limit`, so the cost does not depend on the size
 * of larger values.
 */
export function jsonSize(value: unknown, limit = Infinity): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      size += jsonSize(item, limit - size) + 1
      if (size > limit) break
    }
    return size
  }
  for (const key of Object.keys(value)) {
    size += key.length + 4 + jsonSize((value as Readonly<Record<string, unknown>>)[key], limit - size)
    if (size > limit) break
  }
  return size
}

/**
 * Encodes a value like `encodeLine`, but in pieces of about `PIECE_CHARS` characters. A value larger than the longest string
 * of the JavaScript engine can be encoded, and a reader that stops holds one piece.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  const pieces = new Pieces()
  for (const token of tokensOf(value)) {
    pieces.add(token)
    if (pieces.full) yield pieces.take()
  }
  yield pieces.take()
}

class Pieces {
  #text = ''

  get full(): boolean {
    return this.#text.length >= PIECE_CHARS
  }

  add(text: string): void {
    this.#text += text
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

function* tokensOf(value: unknown): Generator<string, void> {
  if (jsonSize(value, PIECE_CHARS) <= PIECE_CHARS) yield encodeLine(value)
  else if (typeof value === 'string') yield* stringTokens(value)
  else if (Array.isArray(value)) yield* arrayTokens(value)
  else yield* objectTokens(value as Readonly<Record<string, unknown>>)
}

function* arrayTokens(list: readonly unknown[]): Generator<string, void> {
  let mark = '['
  for (const item of list) {
    yield mark
    // As JSON.stringify does.
    yield* tokensOf(item === undefined ? null : item)
    mark = ','
  }
  yield ']'
}

function* objectTokens(fields: Readonly<Record<string, unknown>>): Generator<string, void> {
  let mark = '{'
  for (const key of Object.keys(fields)) {
    if (fields[key] === undefined) continue
    yield `${mark}${encodeLine(key)}:`
    yield* tokensOf(fields[key])
    mark = ','
  }
  yield mark === '{' ? '{}' : '}'
}

function* stringTokens(text: string): Generator<string, void> {
  yield '"'
  for (let from = 0; from < text.length;) {
    const to = endOfSlice(text, from)
    const slice = text.slice(from, to)
    yield NEEDS_ESCAPE.test(slice) ? encodeLine(slice).slice(1, -1) : slice
    from = to
  }
  yield '"'
}

/**
 * Returns the end of a slice of the text. A surrogate pair must stay in one slice, because JSON.stringify escapes half
 * of a pair.
 */
function endOfSlice(text: string, from: number): number {
  const to = from + PIECE_CHARS
  if (to >= text.length) return text.length
  const last = text.charCodeAt(to - 1)
  return last >= 0xd8_00 && last <= 0xdb_ff ? to - 1 : to
}
