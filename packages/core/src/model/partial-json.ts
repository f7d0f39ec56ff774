import type { Json } from '../schema/json.ts'
import { MOST_LEVELS } from '../store/storage-fault.ts'

type Container = Json[] | Record<string, Json>
interface Open {
  readonly value: Container
  /** In an object, the name of the field whose value is being read. */
  key: string | undefined
}

const SPACE = /\s/
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * Parses JSON while it is written. Reads each piece of text once. The value contains the part of a string that was
 * read, but numbers and literals only once they are complete. Invalid or too deeply nested JSON stops the parser, and
 * the value stays as it is.
 */
export class PartialJson {
  readonly #stack: Open[] = []
  #root: Json | undefined
  #state: 'value' | 'string' | 'key' | 'colon' | 'word' | 'after' | 'stopped' = 'value'
  #text = ''
  /** The part of an escape sequence that was read. */
  #escape = ''

  /** Reads the next piece. */
  push(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      if (this.#state === 'string' || this.#state === 'key') at = this.#readString(piece, at)
      else this.#read(piece.charAt(at))
      if (this.#state === 'stopped') return
    }
  }

  /** Returns a copy of the value so far. `undefined` before the value begins. */
  snapshot(): Json | undefined {
    let inner: Json | undefined = this.#state === 'string' ? this.#text : undefined
    for (const { value, key } of this.#stack.toReversed()) {
      if (Array.isArray(value)) inner = inner === undefined ? [...value] : [...value, inner]
      else inner = inner === undefined || key === undefined ? { ...value } : { ...value, [key]: inner }
    }
    return inner ?? this.#root
  }

  #read(char: string): void {
    if (this.#state === 'word') {
      if (!SPACE.test(char) && !',]}'.includes(char)) {
        this.#text += char
        return
      }
      this.#endWord()
    }
    if (this.#state === 'stopped' || SPACE.test(char)) return
    const top = this.#stack.at(-1)
    if (char === ']' || char === '}') this.#close(char, top)
    else if (this.#state === 'after') this.#separate(char, top)
    else if (this.#state === 'colon') this.#state = char === ':' ? 'value' : 'stopped'
    else if (isObject(top) && top.key === undefined) this.#begin(char === '"' ? 'key' : 'stopped')
    else if (char === '"') this.#begin('string')
    else if (char === '[') this.#open([])
    else if (char === '{') this.#open({})
    else {
      this.#begin('word')
      this.#text = char
    }
  }

  /** Reads to the end of the string or of the piece. Returns the position of the last character read. */
  #readString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const char = piece.charAt(at)
      if (this.#escape !== '') {
        this.#readEscape(char)
      } else if (char === '\\') {
        this.#escape = char
      } else if (char === '"') {
        this.#endString()
        return at
      } else {
        const end = nextSpecial(piece, at)
        this.#text += piece.slice(at, end)
        at = end - 1
      }
      if (this.#state === 'stopped') return at
    }
    return piece.length
  }

  #readEscape(char: string): void {
    this.#escape += char
    if (this.#escape[1] !== 'u') {
      this.#text += ESCAPES[char] ?? char
      this.#escape = ''
    } else if (this.#escape.length === 6) {
      const code = Number.parseInt(this.#escape.slice(2), 16)
      if (Number.isNaN(code)) this.#state = 'stopped'
      else this.#text += String.fromCharCode(code)
      this.#escape = ''
    }
  }

  #begin(state: 'string' | 'key' | 'word' | 'stopped'): void {
    this.#state = state
    this.#text = ''
  }

  #open(value: Container): void {
    this.#stack.push({ value, key: undefined })
    this.#state = this.#stack.length > MOST_LEVELS ? 'stopped' : 'value'
  }

  #separate(char: string, top: Open | undefined): void {
    if (char !== ',' || top === undefined) {
      this.#state = 'stopped'
      return
    }
    top.key = undefined
    this.#state = 'value'
  }

  #close(char: string, top: Open | undefined): void {
    if (top === undefined || isObject(top) !== (char === '}')) {
      this.#state = 'stopped'
      return
    }
    this.#stack.pop()
    this.#put(top.value)
  }

  #endString(): void {
    const top = this.#stack.at(-1)
    if (this.#state === 'key' && top !== undefined) {
      top.key = this.#text
      this.#state = 'colon'
    } else {
      this.#put(this.#text)
    }
  }

  #endWord(): void {
    try {
      this.#put(JSON.parse(this.#text) as Json)
    } catch {
      this.#state = 'stopped'
    }
  }

  #put(value: Json): void {
    const top = this.#stack.at(-1)
    this.#state = 'after'
    if (top === undefined) this.#root = value
    else if (Array.isArray(top.value)) top.value.push(value)
    // Not an assignment: it would treat `__proto__` specially.
    else if (top.key !== undefined) Object.defineProperty(top.value, top.key, { value, ...FIELD })
  }
}

const FIELD = { writable: true, enumerable: true, configurable: true }

function isObject(open: Open | undefined): open is Open & { readonly value: Record<string, Json> } {
  return open !== undefined && !Array.isArray(open.value)
}

/** Returns the position of the next quote or backslash, or the end of the piece. */
function nextSpecial(piece: string, from: number): number {
  let at = from
  while (at < piece.length && piece[at] !== '"' && piece[at] !== '\\') at++
  return at
}
