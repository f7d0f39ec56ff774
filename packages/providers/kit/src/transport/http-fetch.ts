/**
 * Sends requests: the `fetch` of a runtime, or any function with this part of its behavior. Rejects if the server does not
 * respond. When `signal` is aborted, it rejects soon afterward and the body ends.
 */
export type HttpFetch = (url: string, request: HttpRequest) => Promise<HttpResponse>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Headers of the request. The provider does not change them after the request was sent. */
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal
  /** A redirect is never followed. For `error`, either reject with a message that contains "redirect", or return the response as for `manual`. */
  readonly redirect: 'error' | 'manual'
  /** Prevents `fetch` from asking a user for a password. */
  readonly window: null
}

/** The part of a response that the kit reads. */
export interface HttpResponse {
  /** Whether the status is from 200 to 299. */
  readonly ok: boolean
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  /** The decompressed bytes. */
  readonly body: { getReader(): HttpBodyReader } | null
}

/** Reads a body chunk by chunk. */
export interface HttpBodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  /** Releases the connection and ends a pending read. */
  cancel(): Promise<void>
}
