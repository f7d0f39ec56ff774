/** Splits a byte stream into lines. */
export interface LineSplitter {
  /** Reads the next bytes. @returns `false` after a line was too long. Later bytes are ignored. */
  push(chunk: Buffer): boolean
}

export interface LineSplitterOptions {
  /** Maximum length of a line in bytes, without its end. */
  readonly maxBytes: number
  /** Called for each line, without its `\n`. */
  readonly onLine: (line: string) => void
}

/** Decodes whole lines only, because a chunk may end inside a character. */
export function createLineSplitter({ maxBytes, onLine }: LineSplitterOptions): LineSplitter {
  let pending: Buffer[] = []
  let bytes = 0
  let broken = false

  function add(piece: Buffer): boolean {
    bytes += piece.length
    if (bytes > maxBytes) {
      broken = true
      pending = []
      return false
    }
    if (piece.length > 0) pending.push(piece)
    return true
  }

  function flush(): void {
    const line = Buffer.concat(pending).toString('utf8')
    pending = []
    bytes = 0
    onLine(line)
  }

  return {
    push(chunk) {
      if (broken) return false
      let from = 0
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
        if (!add(chunk.subarray(from, end))) return false
        flush()
        from = end + 1
      }
      return add(chunk.subarray(from))
    },
  }
}
