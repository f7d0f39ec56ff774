const LINE_END = /\r\n|\n|\r/g
const HAS_LINE_END = /[\r\n]/

export interface LineSplitterOptions {
  readonly onLine: (line: string) => void
  /** Called at the first line that ends with a carriage return, before that line. */
  readonly onReturn: () => void
}

/** Splits text that comes in chunks into lines that end with LF, CRLF or CR. */
export class LineSplitter {
  readonly #options: LineSplitterOptions
  /** The pieces of the current line. Joined once, because V8 copies the line so far for each search in it. */
  #rest: string[] = []
  #length = 0
  #hasPendingReturn = false
  #hasReturn = false

  constructor(options: LineSplitterOptions) {
    this.#options = options
  }

  /** Length of the line that has not ended. */
  get length(): number {
    return this.#length
  }

  push(text: string): void {
    if (this.#hasPendingReturn || HAS_LINE_END.test(text)) this.#split(this.#join(text), false)
    else if (text !== '') this.#keep(text)
  }

  /** Ends the input with this text. A last line without an end counts. */
  end(text: string): void {
    this.#split(this.#join(text), true)
    const last = this.#join('')
    if (last !== '') this.#options.onLine(last)
  }

  /** Forgets the line that has not ended. */
  clear(): void {
    this.#join('')
  }

  #keep(piece: string): void {
    this.#rest.push(piece)
    this.#length += piece.length
  }

  #join(text: string): string {
    const whole = this.#rest.join('') + text
    this.#rest = []
    this.#length = 0
    this.#hasPendingReturn = false
    return whole
  }

  #split(text: string, isLast: boolean): void {
    let from = 0
    LINE_END.lastIndex = 0
    for (let match = LINE_END.exec(text); match !== null; match = LINE_END.exec(text)) {
      // A CR at the end of a chunk may be the first half of a CRLF.
      if (match[0] === '\r' && !isLast && match.index === text.length - 1) break
      if (match[0] !== '\n' && !this.#hasReturn) {
        this.#hasReturn = true
        this.#options.onReturn()
      }
      const line = text.slice(from, match.index)
      from = match.index + match[0].length
      this.#options.onLine(line)
      // `onLine` may have used the expression for another text.
      LINE_END.lastIndex = from
    }
    if (from === text.length) return
    this.#keep(text.slice(from))
    this.#hasPendingReturn = text.endsWith('\r')
  }
}
