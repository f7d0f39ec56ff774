import type { FileHandle } from 'node:fs/promises'

/** A range of lines of a text file. */
export interface FileWindow {
  readonly lines: readonly WindowLine[]
  /** Number of lines from the start of the file to where reading stopped. The total if `atEnd`. */
  readonly linesSeen: number
  readonly atEnd: boolean
}

export interface WindowLine {
  readonly text: string
  /** Byte length of the whole line. Set if `text` holds only its start. */
  readonly cutFrom?: number
}

export interface WindowOptions {
  /** The first line, counted from 1. */
  readonly offset: number
  /** Maximum number of lines. */
  readonly limit: number
  /** Maximum bytes of all lines together. The first line is always included. */
  readonly maxBytes: number
  /** Maximum bytes of one line. */
  readonly maxLineBytes: number
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 65_536
const LINE_FEED = 10

/** Reads a window of lines. Holds only the window and one chunk of the file in memory. */
export async function readWindow(handle: FileHandle, options: WindowOptions): Promise<FileWindow> {
  const collector = createLineCollector(options)
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let position = 0
  for (;;) {
    options.signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return collector.end()
    position += bytesRead
    // A full window still needs the next byte, or the end of the file, to know whether there is more.
    if (!collector.push(chunk.subarray(0, bytesRead))) return collector.window(false)
  }
}

interface LineCollector {
  /** Takes the next chunk of the file and returns whether it needs more. */
  push(chunk: Buffer): boolean
  end(): FileWindow
  window(atEnd: boolean): FileWindow
}

function createLineCollector({ offset, limit, maxBytes, maxLineBytes }: WindowOptions): LineCollector {
  const lines: WindowLine[] = []
  let linesSeen = 0
  let budget = maxBytes
  let full = false
  let kept: Buffer[] = []
  let keptBytes = 0
  let lineBytes = 0

  function keep(piece: Buffer): void {
    lineBytes += piece.length
    if (linesSeen + 1 < offset || keptBytes > maxLineBytes) return
    // One extra byte shows whether the cut falls inside a character.
    const part = Buffer.from(piece.subarray(0, maxLineBytes + 1 - keptBytes))
    kept.push(part)
    keptBytes += part.length
  }

  function endLine(): void {
    if (linesSeen + 1 >= offset) {
      const line = toLine(Buffer.concat(kept), { lineBytes, maxLineBytes, first: linesSeen === 0 })
      budget -= Math.min(lineBytes, maxLineBytes)
      if (budget < 0 && lines.length > 0) {
        full = true
        return
      }
      lines.push(line)
      full = lines.length === limit
    }
    linesSeen++
    kept = []
    keptBytes = 0
    lineBytes = 0
  }

  const window = (atEnd: boolean): FileWindow => ({ lines, linesSeen, atEnd })
  return {
    window,
    push(chunk) {
      let at = 0
      while (at < chunk.length) {
        if (full) return false
        const end = chunk.indexOf(LINE_FEED, at)
        keep(chunk.subarray(at, end < 0 ? chunk.length : end))
        if (end < 0) return true
        endLine()
        at = end + 1
      }
      return true
    },
    end() {
      if (!full && lineBytes > 0) endLine()
      // If the last line did not fit, the window does not reach the end.
      return window(lineBytes === 0)
    },
  }
}

function toLine(
  bytes: Buffer,
  { lineBytes, maxLineBytes, first }: { lineBytes: number; maxLineBytes: number; first: boolean },
): WindowLine {
  const text = decodePrefix(bytes, maxLineBytes)
  const plain = first && text.startsWith('\uFEFF') ? text.slice(1) : text
  if (lineBytes > maxLineBytes) return { text: plain, cutFrom: lineBytes }
  return { text: plain.endsWith('\r') ? plain.slice(0, -1) : plain }
}

/** Decodes the UTF-8 characters that lie completely within the first `max` bytes. */
function decodePrefix(bytes: Buffer, max: number): string {
  let end = Math.min(max, bytes.length)
  if (end < bytes.length) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
