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

/** Reads and decompresses a body up to a number of bytes. Does not wait for the rest. */
export async function readBody(message: IncomingMessage, { maxBytes, signal }: BodyOptions): Promise<Body> {
  const decoder = decoderOf(message.headers['content-encoding'])
  // The callback ignores the error of a pipeline that the `break` below cuts off. The loop throws the error of a broken body.
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
