/**
 * What makes the requests: the `fetch` of a runtime, or anything else that does this much of it. Rejects when there is
 * no response, soon after `signal` is aborted at the latest; an abort also ends the body.
 */
export type HttpFetch = (url: string, request: HttpRequest) => Promise<HttpResponse>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Does not change once it was sent. */
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal
  /** A redirect is never followed. `error` may reject, in words that speak of a redirect, or give the response as `manual` does. */
  readonly redirect: 'error' | 'manual'
  /** Says to `fetch` that there is no page to ask for passwords. */
  readonly window: null
}

/** The part of a response that is read. */
export interface HttpResponse {
  /** Whether the status is one of 200 to 299. */
  readonly ok: boolean
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  /** The bytes, decompressed. */
  readonly body: { getReader(): HttpBodyReader } | null
}

/** Reads a body, one piece after the other. */
export interface HttpBodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  /** Lets go of the connection; a pending read ends. */
  cancel(): Promise<void>
}
