import { crc32 } from './crc32.ts'

/** One message of an AWS event stream. */
export interface EventStreamMessage {
  /** Those of text; others have no meaning here. */
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Uint8Array
}

export interface EventStreamParser {
  /** Every message a chunk completes is handed over before it returns. @throws for bytes that are no such stream. */
  feed(chunk: Uint8Array): void
}

// Lengths of the total and of the headers, with a checksum over both; after the payload, one over everything.
const PRELUDE = 12
const CHECKSUM = 4
// What AWS allows, and more.
const LONGEST_MESSAGE = 32 * 1024 * 1024

/** Parses `application/vnd.amazon.eventstream`, wherever the chunks were cut, and checks both of its checksums. */
export function createEventStreamParser(onMessage: (message: EventStreamMessage) => void): EventStreamParser {
  let rest: Uint8Array = new Uint8Array(0)

  return {
    feed(chunk) {
      rest = rest.length === 0 ? chunk : joined(rest, chunk)
      let start = 0
      for (;;) {
        const length = messageLength(rest.subarray(start))
        if (length === undefined || rest.length - start < length) break
        onMessage(readMessage(rest.subarray(start, start + length)))
        start += length
      }
      rest = rest.subarray(start)
    },
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/** Undefined as long as the prelude is not complete. */
function messageLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < PRELUDE) return undefined
  const view = viewOf(bytes)
  const length = view.getUint32(0)
  const headersLength = view.getUint32(4)
  const fits = length <= LONGEST_MESSAGE && PRELUDE + headersLength + CHECKSUM <= length
  if (!fits || crc32(bytes.subarray(0, 8)) !== view.getUint32(8))
    throw new Error('The event stream is damaged: the prelude of a message does not fit its checksum.')
  return length
}

function readMessage(bytes: Uint8Array): EventStreamMessage {
  const view = viewOf(bytes)
  const end = bytes.length - CHECKSUM
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end))
    throw new Error('The event stream is damaged: a message does not fit its checksum.')
  const headersEnd = PRELUDE + view.getUint32(4)
  return { headers: readHeaders(bytes.subarray(PRELUDE, headersEnd)), payload: bytes.subarray(headersEnd, end) }
}

/** Bytes of a value by its type: true, false, byte, short, integer, long, then bytes and text with their length, time, UUID. */
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
    if (kind === undefined) throw new Error('The event stream is damaged: a header has a type that does not exist.')
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
