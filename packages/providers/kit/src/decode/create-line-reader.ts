/** Splits bytes into lines. Every line that a chunk completes is handed over before `feed` returns. */
export interface LineReader {
  feed(chunk: Uint8Array | string): void
  /** Ends the input. Hands over a last line that has no line end. */
  end(): void
}

const STREAMING = { stream: true }
const FIRST_NON_ASCII = 0x80
// Keeps a U+FEFF inside the text; a leading one is dropped below.
const WITH_MARK = { ignoreBOM: true }
// Without `stream: true` a decoder keeps no state between calls, so all readers share this one.
const wholeText = new TextDecoder('utf-8', WITH_MARK)

/** Decodes chunks of UTF-8 that may end inside a character. */
function createChunkDecoder(): (chunk?: Uint8Array) => string {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  return chunk => {
    if (chunk === undefined) return decoder?.decode() ?? ''
    // A streaming decoder is slow to create and to run. It is needed only once a chunk may end inside a character.
    if (decoder === undefined && (chunk.at(-1) ?? 0) < FIRST_NON_ASCII) return wholeText.decode(chunk)
    decoder ??= new TextDecoder('utf-8', WITH_MARK)
    return decoder.decode(chunk, STREAMING)
  }
}

/**
 * Splits UTF-8 text into lines at LF, CRLF or CR, across chunks. Drops a leading byte order mark.
 * @param onLine Called with a text and the bounds of one line in it, so that a caller slices only what it uses.
 */
export function createLineReader(onLine: (text: string, start: number, end: number) => void): LineReader {
  const decode = createChunkDecoder()
  let rest = ''
  let started = false
  let skipLineFeed = false

  function normalise(chunk: string): string {
    let text = chunk
    if (!started) {
      started = true
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    if (skipLineFeed && text !== '') {
      skipLineFeed = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    if (!text.includes('\r')) return text
    // The LF of a CRLF may be in the next chunk.
    skipLineFeed = text.endsWith('\r')
    return text.replaceAll(/\r\n?/g, '\n')
  }

  function take(chunk: string): void {
    let text = normalise(chunk)
    let newline = text.indexOf('\n')
    // The chunks of a long line are collected here and searched once.
    if (newline === -1) {
      rest += text
      return
    }
    if (rest !== '') {
      newline += rest.length
      text = rest + text
    }
    let start = 0
    for (; newline !== -1; newline = text.indexOf('\n', start)) {
      onLine(text, start, newline)
      start = newline + 1
    }
    rest = start === text.length ? '' : text.slice(start)
  }

  return {
    feed(chunk) {
      const text = typeof chunk === 'string' ? chunk : decode(chunk)
      if (text !== '') take(text)
    },
    end() {
      const tail = decode()
      if (tail !== '') take(tail)
      const last = rest
      rest = ''
      if (last !== '') onLine(last, 0, last.length)
    },
  }
}
