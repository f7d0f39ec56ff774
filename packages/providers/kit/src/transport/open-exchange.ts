import type { HttpResponse } from './http-fetch.ts'
import { createChunkQueue, type ChunkQueue } from './create-chunk-queue.ts'
import type { DispatchHandler, RawText } from './dispatcher.ts'

/** One request in progress: the dispatcher calls `handler`, and the result is `response`. */
export interface Exchange {
  readonly handler: DispatchHandler
  readonly response: Promise<HttpResponse>
}

type Format = ConstructorParameters<typeof DecompressionStream>[0]

const FORMATS: Readonly<Record<string, Format>> = { 'x-gzip': 'gzip', br: 'brotli' }

/**
 * Starts an exchange.
 * @param signal When it is aborted, the exchange ends: the response, or the rest of its body, is rejected.
 */
export function openExchange(signal: AbortSignal): Exchange {
  const { promise: response, resolve, reject } = Promise.withResolvers<HttpResponse>()
  let disconnect: ((reason?: Error) => void) | undefined
  let body: ChunkQueue | undefined

  function close(error: unknown): void {
    signal.removeEventListener('abort', onAbort)
    reject(error)
    body?.end({ error })
  }
  function onAbort(): void {
    const reason = signal.reason as Error
    close(reason)
    // Without a connection there is nothing to abort yet; `onConnect` aborts it later.
    disconnect?.(reason)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  const handler: DispatchHandler = {
    onConnect(abort) {
      disconnect = abort
      if (signal.aborted) abort(signal.reason as Error)
    },
    onHeaders(status, fields, resume) {
      // Informational responses such as 100 Continue precede the response.
      if (status < 200) return true
      body = createChunkQueue({ resume, cancel: () => disconnect?.(new Error('The reader cancelled the body.')) })
      resolve(toResponse(status, fields, body))
      return true
    },
    onData: chunk => body?.push(chunk) ?? true,
    onComplete() {
      signal.removeEventListener('abort', onAbort)
      body?.end()
    },
    // Same message and shape as an error of `fetch`, so that both are handled by the same code.
    onError: cause => close(new TypeError('fetch failed', { cause })),
  }
  return { handler, response }
}

function toResponse(status: number, raw: readonly RawText[], body: ChunkQueue): HttpResponse {
  const fields = readFields(raw)
  const get = (name: string): string | null => fields.get(name.toLowerCase()) ?? null
  const encoding = get('content-encoding') ?? 'identity'
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get },
    body: encoding === 'identity' || encoding === '' ? { getReader: () => body } : decompress(body, encoding),
  }
}

function readFields(raw: readonly RawText[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let name = ''
  for (const [index, text] of raw.entries()) {
    const words = text.toString('latin1')
    if (index % 2 === 0) name = words.toLowerCase()
    else {
      const before = fields.get(name)
      fields.set(name, before === undefined ? words : `${before}, ${words}`)
    }
  }
  return fields
}

/** Decompresses a body. Requests do not ask for compression, but some servers compress anyway. */
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
