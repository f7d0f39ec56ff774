/** Keeps the last bytes of a stream. */
export interface TextTail {
  push(chunk: Buffer): void
  text(): string
}

export interface TextTailOptions {
  readonly maxBytes: number
}

/** Keeps at most `maxBytes`. Cuts at the start of a line, or anywhere if no line starts in what is kept. */
export function createTextTail({ maxBytes }: TextTailOptions): TextTail {
  let kept: Buffer = Buffer.alloc(0)
  let cut = false
  return {
    push(chunk) {
      const joined = Buffer.concat([kept, chunk])
      cut ||= joined.length > maxBytes
      kept = joined.subarray(-maxBytes)
    },
    text() {
      const lineEnd = cut ? kept.indexOf(0x0a) : -1
      return (lineEnd === -1 ? kept : kept.subarray(lineEnd + 1)).toString('utf8')
    },
  }
}
