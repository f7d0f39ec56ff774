import type { FileHandle } from 'node:fs/promises'

/** A part of a text file. */
export interface FileWindow {
  readonly lines: readonly WindowLine[]
  /** Lines from the start of the file up to where reading stopped; all there are when `atEnd`. */
  readonly linesSeen: number
  readonly atEnd: boolean
}

export interface WindowLine {
  readonly text: string
  /** Bytes of the whole line, when only a part of it is in `text`. */
  readonly cutFrom?: number
}

export interface WindowOptions {
  /** The first line, counted from 1. */
  readonly offset: number
  /** Most lines. */
  readonly limit: number
  /** Most bytes of all lines together; the first line is given in any case. */
  readonly maxBytes: number
  /** Most bytes of one line. */
  readonly maxLineBytes: number
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 65_536
const LINE_FEED = 10

/** Reads a window of lines, keeping no more than the window and one chunk in memory. */
export async function readWindow(handle: FileHandle, options: WindowOptions): Promise<FileWindow> {
  const collector = createLineCollector(options)
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let position = 0
  for (;;) {
    options.signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return collector.end()
    position += bytesRead
    // A full window reads on until a byte shows that the file goes on, or its end that it does not.
    if (!collector.push(chunk.subarray(0, bytesRead))) return collector.window(false)
  }
}

interface LineCollector {
  /** Takes more of the file. Says whether it wants more. */
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
    // One byte more than fits tells whether the cut falls into a character.
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
      // A last line that did not fit any more is still to come.
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

/** The characters of UTF-8 that lie wholly within the first `max` bytes. */
function decodePrefix(bytes: Buffer, max: number): string {
  let end = Math.min(max, bytes.length)
  if (end < bytes.length) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
