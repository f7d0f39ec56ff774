import type { FetchLike } from '@modelcontextprotocol/client'

export interface LimitedFetchOptions {
  readonly fetch: FetchLike
  /** Maximum size of a body in bytes, or of one event of an event stream. */
  readonly maxBytes: number
  /** Called when a body exceeds the limit, before it fails. @default none */
  readonly onTooLong?: (() => void) | undefined
}

/** Returns a `fetch` whose bodies fail, and whose connections close, if a message is too long. The SDK reads bodies without a limit. */
export function createLimitedFetch({ fetch, maxBytes, onTooLong }: LimitedFetchOptions): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true
    const sizeAfter = isStream ? createEventMeter() : createBodyMeter()
    const limiter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (sizeAfter(chunk) <= maxBytes) return controller.enqueue(chunk)
        onTooLong?.()
        controller.error(new Error(`the server sent a message of more than ${maxBytes} bytes`))
      },
    })
    const { status, statusText, headers } = response
    const limited = new Response(response.body.pipeThrough(limiter), { status, statusText, headers })
    return Object.defineProperty(limited, 'url', { value: response.url })
  }
}

/** Returns a function that adds a chunk to a message and returns the size of the message so far. */
type Meter = (chunk: Uint8Array) => number

function createBodyMeter(): Meter {
  let size = 0
  return chunk => (size += chunk.length)
}

const LF = 10
const CR = 13

/** Measures the longest event. An event ends with an empty line, and a line with LF, CRLF or CR. */
function createEventMeter(): Meter {
  let size = 0
  let lineLength = 0
  let previous = 0
  return chunk => {
    let longest = 0
    for (const byte of chunk) {
      const isSecondHalf = byte === LF && previous === CR
      size += 1
      if (byte !== LF && byte !== CR) lineLength += 1
      else if (!isSecondHalf) {
        longest = Math.max(longest, size)
        if (lineLength === 0) size = 0
        lineLength = 0
      }
      previous = byte
    }
    return Math.max(longest, size)
  }
}
