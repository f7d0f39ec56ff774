import { crc32 } from './crc32.ts'

/** One message of an AWS event stream. */
export interface EventStreamMessage {
  /** The headers of type string. Other types are skipped. */
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Uint8Array
}

export interface EventStreamParser {
  /** Hands over every message that the chunk completes, then returns. @throws `Error` if the bytes are damaged. */
  feed(chunk: Uint8Array): void
}

// The prelude: length of the message, length of the headers, checksum of both. After the payload: checksum of the message.
const PRELUDE = 12
const CHECKSUM = 4
// Above the limit of AWS.
const LONGEST_MESSAGE = 32 * 1024 * 1024

/** Creates a parser for `application/vnd.amazon.eventstream`. Chunks may end anywhere. It checks both checksums of a message. */
export function createEventStreamParser(onMessage: (message: EventStreamMessage) => void): EventStreamParser {
  // Chunks of an incomplete message. They are joined once, when the message is complete.
  let chunks: Uint8Array[] = []
  let size = 0
  let needed = PRELUDE

  return {
    feed(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (size < needed) return
      let rest = chunks.length === 1 ? chunk : joined(chunks, size)
      let start = 0
      for (;;) {
        const length = messageLength(rest.subarray(start))
        needed = length ?? PRELUDE
        if (length === undefined || rest.length - start < length) break
        onMessage(readMessage(rest.subarray(start, start + length)))
        start += length
      }
      rest = rest.subarray(start)
      chunks = rest.length === 0 ? [] : [rest]
      size = rest.length
    },
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Returns the length of a message; `undefined` if its prelude is incomplete. */
function messageLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < PRELUDE) return undefined
  const view = viewOf(bytes)
  const length = view.getUint32(0)
  const headersLength = view.getUint32(4)
  const fits = length <= LONGEST_MESSAGE && PRELUDE + headersLength + CHECKSUM <= length
  if (!fits || crc32(bytes.subarray(0, 8)) !== view.getUint32(8))
    throw new Error('The event stream is damaged: the prelude of a message does not match its checksum.')
  return length
}

function readMessage(bytes: Uint8Array): EventStreamMessage {
  const view = viewOf(bytes)
  const end = bytes.length - CHECKSUM
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end))
    throw new Error('The event stream is damaged: a message does not match its checksum.')
  const headersEnd = PRELUDE + view.getUint32(4)
  return { headers: readHeaders(bytes.subarray(PRELUDE, headersEnd)), payload: bytes.subarray(headersEnd, end) }
}

/** Size of a header value by its type: true, false, byte, short, integer, long, bytes and string (both with a length), timestamp, UUID. */
const VALUE_BYTES = [0, 0, 1, 2, 4, 8, 'bytes', 'text', 8, 16] as const

function readHeaders(bytes: Uint8Array): Readonly<Record<string, string>> {
  const utf8 = new TextDecoder()
  const view = viewOf(bytes)
  const headers: Record<string, string> = {}
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at)
    const name = utf8.decode(bytes.subarray(at + 1, nameEnd))
    const kind = VALUE_BYTES[view.getUint8(nameEnd)]
    if (kind === undefined) throw new Error('The event stream is damaged: the type of a header is unknown.')
    const isLong = kind === 'bytes' || kind === 'text'
    const valueStart = nameEnd + (isLong ? 3 : 1)
    at = valueStart + (isLong ? view.getUint16(nameEnd + 1) : kind)
    if (kind === 'text') headers[name] = utf8.decode(bytes.subarray(valueStart, at))
  }
  return headers
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
