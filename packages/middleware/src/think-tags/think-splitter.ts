export interface Piece {
  readonly kind: 'text' | 'thought'
  readonly text: string
}

/** Tells a model's thoughts from its text while it writes, however the stream cuts its tags. */
export class ThinkSplitter {
  readonly #open: RegExp
  readonly #tags: readonly string[]
  #rest = ''
  /** The tag that is open. */
  #tag: string | undefined
  #shown = false
  /** Text before the open tag was seen: until it is closed, it may be no tag at all. */
  #doubtful = false
  #afterThought = false

  /** `opened`: the model's template has written the first tag itself. */
  constructor(tags: readonly string[], opened: boolean) {
    this.#tags = tags
    this.#open = new RegExp(`<(${tags.join('|')})>`, 'i')
    if (opened) this.#tag = tags[0]
  }

  /** Whether a delta is text that needs no look: most are. */
  passes(delta: string): boolean {
    const isOpen = this.#tag === undefined && this.#rest === '' && this.#shown && !this.#afterThought
    return isOpen && !delta.includes('<')
  }

  add(delta: string): readonly Piece[] {
    this.#rest += delta
    const pieces: Piece[] = []
    while (this.#step(pieces));
    return pieces
  }

  /** What was held back, once nothing follows. */
  end(): readonly Piece[] {
    const rest = this.#rest
    const tag = this.#tag
    this.#rest = ''
    this.#tag = undefined
    if (tag !== undefined && this.#doubtful) return [...this.#piece('text', `<${tag}>${rest}`)]
    return [...this.#piece(tag === undefined ? 'text' : 'thought', rest)]
  }

  /** Takes as much as is certain; whether there may be more. */
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

  /** Length of what at the end may be the beginning of a tag. */
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
    // The blank lines after a thought belong to it, and so does blank space before the first.
    const kept = this.#afterThought || !this.#shown ? text.trimStart() : text
    if (kept === '') return []
    this.#afterThought = false
    this.#shown = true
    return [{ kind, text: kept }]
  }
}
