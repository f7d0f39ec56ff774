import type { Dispatcher } from 'undici'
import type { HttpResponse } from '../http-fetch.ts'
import { createChunkQueue, type ChunkQueue } from './create-chunk-queue.ts'

/** One request under way: what undici tells goes into `handler` and comes out as the `response`. */
export interface Exchange {
  readonly handler: Dispatcher.DispatchHandler
  readonly response: Promise<HttpResponse>
}

type Format = ConstructorParameters<typeof DecompressionStream>[0]

const FORMATS: Readonly<Record<string, Format>> = { 'x-gzip': 'gzip', br: 'brotli' }

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>

/** @param signal Ends the exchange: rejects the response, or what is still to come of its body. */
export function openExchange(signal: AbortSignal): Exchange {
  const { promise: response, resolve, reject } = Promise.withResolvers<HttpResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let body: ChunkQueue | undefined

  function close(error: unknown): void {
    signal.removeEventListener('abort', onAbort)
    reject(error)
    body?.end({ error })
  }
  function onAbort(): void {
    const reason = signal.reason as Error
    close(reason)
    // Before a connection is there, undici has nothing to abort: it is told when it asks.
    controller?.abort(reason)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given
      if (signal.aborted) given.abort(signal.reason as Error)
    },
    onResponseStart(given, status, headers) {
      // 100 Continue and the like come before the response.
      if (status < 200) return
      body = createChunkQueue({
        pause: () => given.pause(),
        resume: () => given.resume(),
        cancel: () => given.abort(new Error('The reader has left.')),
      })
      resolve(toResponse(status, headers, body))
    },
    onResponseData: (_, chunk) => body?.push(chunk),
    onResponseEnd() {
      signal.removeEventListener('abort', onAbort)
      body?.end()
    },
    // In the words and the shape of `fetch`, so that what went wrong is read in one way.
    onResponseError: (_, cause) => close(new TypeError('fetch failed', { cause })),
  }
  return { handler, response }
}

function toResponse(status: number, headers: Fields, body: ChunkQueue): HttpResponse {
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }
  const encoding = get('content-encoding') ?? 'identity'
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get },
    body: encoding === 'identity' || encoding === '' ? { getReader: () => body } : decompress(body, encoding),
  }
}

/** Nothing compressed is asked for; some servers send it all the same. */
function decompress(body: ChunkQueue, encoding: string): ReadableStream<Uint8Array> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(stream) {
      const { done, value } = await body.read()
      if (done) stream.close()
      else stream.enqueue(value as Uint8Array<ArrayBuffer>)
    },
    cancel: body.cancel,
  })
  return source.pipeThrough(new DecompressionStream(FORMATS[encoding] ?? (encoding as Format)))
}
