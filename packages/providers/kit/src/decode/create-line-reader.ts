import { brokenStream, LONGEST_EVENT, type Broken } from './body-limits.ts'

/** Splits bytes into lines. Every line that a chunk completes is handed over before `feed` returns. */
export interface LineReader {
  /** Reads a chunk. Throws what `broken` creates if a line, or the data of an event, has more than 32 MiB. */
  feed(chunk: Uint8Array | string): void
  /** Ends the input. Hands over a last line that has no line end. */
  end(): void
}

const STREAMING = { stream: true }

/**
 * Splits UTF-8 text into lines at LF, CRLF or CR, across chunks. Drops a leading byte order mark.
 * @param onLine Called with each line, without its line end.
 * @param broken Creates the error for a line that is too long.
 */
export function createLineReader(onLine: (line: string) => void, broken: Broken = brokenStream): LineReader {
  // Keeps a U+FEFF inside the text; a leading one is dropped below.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
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

  function keep(length: number): void {
    if (length <= LONGEST_EVENT) return
    rest = ''
    throw broken(`The server sent a line of more than ${LONGEST_EVENT} characters.`)
  }

  function take(chunk: string): void {
    let text = normalise(chunk)
    let newline = text.indexOf('\n')
    // The chunks of a long line are collected here and searched once.
    if (newline === -1) {
      keep(rest.length + text.length)
      rest += text
      return
    }
    keep(rest.length + newline)
    if (rest !== '') {
      newline += rest.length
      text = rest + text
    }
    let start = 0
    for (; newline !== -1; newline = text.indexOf('\n', start)) {
      onLine(text.slice(start, newline))
      start = newline + 1
    }
    keep(text.length - start)
    rest = start === text.length ? '' : text.slice(start)
  }

  return {
    feed(chunk) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, STREAMING)
      if (text !== '') take(text)
    },
    end() {
      const tail = decoder.decode()
      if (tail !== '') take(tail)
      const last = rest
      rest = ''
      if (last !== '') onLine(last)
    },
  }
}
