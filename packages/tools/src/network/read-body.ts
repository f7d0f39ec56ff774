import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface BodyOptions {
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface Body {
  readonly body: Buffer
  readonly truncated: boolean
}

/** Reads a body, decompressed, up to a number of bytes; what comes after is not waited for. */
export async function readBody(message: IncomingMessage, { maxBytes, signal }: BodyOptions): Promise<Body> {
  const decoder = decoderOf(message.headers['content-encoding'])
  // The error of a pipe that was cut off here is no news; that of a broken body is thrown by the iteration.
  const stream = decoder === undefined ? message : pipeline(message, decoder, () => {})
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  const body = Buffer.concat(chunks)
  return { body: body.subarray(0, maxBytes), truncated: size > maxBytes }
}

function decoderOf(encoding = ''): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}
