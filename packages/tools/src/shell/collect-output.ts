import { stripVTControlCharacters } from 'node:util'

/** The kept part of one output stream. */
export interface CollectedOutput {
  readonly text: string
  /** Bytes that were left out of `text`. */
  readonly omittedBytes: number
}

export interface OutputCollector {
  push(chunk: Buffer): void
  end(): CollectedOutput
}

/**
 * Keeps the first and the last bytes of a stream, half of the limit each. It keeps little more than these bytes in
 * memory.
 */
export function createOutputCollector(maxBytes: number): OutputCollector {
  const headBytes = Math.ceil(maxBytes / 2)
  const tailBytes = maxBytes - headBytes
  const head: Buffer[] = []
  let headSize = 0
  let tail: Buffer[] = []
  let tailSize = 0
  let total = 0

  function shorten(): void {
    const joined = Buffer.concat(tail)
    const kept = tailBytes === 0 ? Buffer.alloc(0) : joined.subarray(-tailBytes)
    // A copy, because a subarray would keep the whole joined buffer in memory.
    tail = [Buffer.from(kept)]
    tailSize = kept.length
  }

  return {
    push(chunk) {
      total += chunk.length
      const first = chunk.subarray(0, headBytes - headSize)
      if (first.length > 0) head.push(Buffer.from(first))
      headSize += first.length
      const rest = chunk.subarray(first.length)
      if (rest.length === 0) return
      tail.push(rest)
      tailSize += rest.length
      if (tailSize > 2 * tailBytes + 65_536) shorten()
    },
    end() {
      shorten()
      const omitted = total - headSize - tailSize
      const start = Buffer.concat(head)
      const end = Buffer.concat(tail)
      if (omitted === 0) return { text: toText(Buffer.concat([start, end])), omittedBytes: 0 }
      const cut = start.subarray(0, lastBoundary(start))
      const from = firstBoundary(end)
      const bytes = omitted + (start.length - cut.length) + from
      return {
        text: `${toText(cut)}\n[… ${bytes} bytes left out …]\n${toText(end.subarray(from))}`,
        omittedBytes: bytes,
      }
    },
  }
}

/** Decodes bytes and removes terminal escape sequences and all control characters except tabs and line feeds. */
function toText(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString('utf8'))
    .replaceAll(/\r\n/g, '\n')
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '')
}

/** Returns the end of the last complete UTF-8 character. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Returns the start of the first complete UTF-8 character. */
function firstBoundary(bytes: Buffer): number {
  let at = 0
  while (at < Math.min(3, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}
