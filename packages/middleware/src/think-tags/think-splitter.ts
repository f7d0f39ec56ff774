/** A piece of an answer. */
export interface Piece {
  readonly kind: 'text' | 'thought'
  readonly text: string
}

/** Separates a model's thoughts from its text while it streams, even if the stream splits a tag. */
export class ThinkSplitter {
  readonly #open: RegExp
  readonly #tags: readonly string[]
  #rest = ''
  /** The open tag. */
  #tag: string | undefined
  #shown = false
  /** Whether text came before the open tag. Until it is closed, such a tag may be plain text. */
  #doubtful = false
  #afterThought = false

  /** Creates a splitter for one answer. @param opened Whether the model's template already wrote the first tag. */
  constructor(tags: readonly string[], opened: boolean) {
    this.#tags = tags
    this.#open = new RegExp(`<(${tags.join('|')})>`, 'i')
    if (opened) this.#tag = tags[0]
  }

  /** Returns whether a delta is plain text that can pass unchanged, which is the common case. */
  passes(delta: string): boolean {
    const isOpen = this.#tag === undefined && this.#rest === '' && this.#shown && !this.#afterThought
    return isOpen && !delta.includes('<')
  }

  /** Takes the next delta and returns the pieces that are certain. */
  add(delta: string): readonly Piece[] {
    this.#rest += delta
    const pieces: Piece[] = []
    while (this.#step(pieces));
    return pieces
  }

  /** Returns the held-back rest at the end of the text. */
  end(): readonly Piece[] {
    const rest = this.#rest
    const tag = this.#tag
    this.#rest = ''
    this.#tag = undefined
    if (tag !== undefined && this.#doubtful) return [...this.#piece('text', `<${tag}>${rest}`)]
    return [...this.#piece(tag === undefined ? 'text' : 'thought', rest)]
  }

  /** Takes the next certain piece. Returns whether there may be more. */
  #step(pieces: Piece[]): boolean {
    return this.#tag === undefined ? this.#readText(pieces) : this.#readThought(pieces, this.#tag)
  }

  #readText(pieces: Piece[]): boolean {
    const found = this.#open.exec(this.#rest)
    if (found === null) {
      pieces.push(...this.#take('text', this.#rest.length - this.#partialTag('<')))
      return false
    }
    const [whole, tag = ''] = found
    pieces.push(...this.#take('text', found.index))
    this.#rest = this.#rest.slice(whole.length)
    this.#tag = tag
    this.#doubtful = this.#shown
    return true
  }

  #readThought(pieces: Piece[], tag: string): boolean {
    const end = `</${tag}>`
    const at = this.#rest.toLowerCase().indexOf(end.toLowerCase())
    if (at < 0) {
      if (!this.#doubtful) pieces.push(...this.#take('thought', this.#rest.length - this.#partialTag('</')))
      return false
    }
    pieces.push(...this.#take('thought', at))
    this.#rest = this.#rest.slice(end.length)
    this.#tag = undefined
    this.#doubtful = false
    this.#afterThought = true
    return true
  }

  /** Returns the length of the end of the text that could be the beginning of a tag. */
  #partialTag(start: '<' | '</'): number {
    const from = this.#rest.lastIndexOf('<')
    if (from < 0) return 0
    const tail = this.#rest.slice(from).toLowerCase()
    return this.#tags.some(tag => `${start}${tag.toLowerCase()}>`.startsWith(tail)) ? tail.length : 0
  }

  #take(kind: Piece['kind'], length: number): readonly Piece[] {
    const text = this.#rest.slice(0, length)
    this.#rest = this.#rest.slice(length)
    return this.#piece(kind, text)
  }

  #piece(kind: Piece['kind'], text: string): readonly Piece[] {
    if (kind === 'thought') return text === '' ? [] : [{ kind, text }]
    // White space after a thought and before the first text is dropped.
    const kept = this.#afterThought || !this.#shown ? text.trimStart() : text
    if (kept === '') return []
    this.#afterThought = false
    this.#shown = true
    return [{ kind, text: kept }]
  }
}
