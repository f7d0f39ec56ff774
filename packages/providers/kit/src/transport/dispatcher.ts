/** The part of an undici dispatcher that the kit uses. The undici inside Node.js has it too. */
export interface Dispatcher {
  dispatch(request: DispatchRequest, handler: DispatchHandler): unknown
}

export interface DispatchRequest {
  readonly origin: string
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body: string | null
  /** Limit for the headers in milliseconds. 0 disables undici's limit, because the provider has its own deadlines. */
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** Callbacks of a dispatcher, in the form that all undici versions up to 7 accept. */
export interface DispatchHandler {
  onConnect(abort: (reason?: Error) => void): void
  /** Receives the status and the headers. @param fields Alternating names and values. */
  onHeaders(status: number, fields: readonly RawText[], resume: () => void): boolean
  /** Receives a chunk of the body. Returns `false` to pause the connection until `resume` is called. */
  onData(chunk: Uint8Array): boolean
  onComplete(): void
  onError(error: Error): void
}

/** Bytes in a Node.js `Buffer`. */
export interface RawText {
  toString(encoding: 'latin1'): string
}
