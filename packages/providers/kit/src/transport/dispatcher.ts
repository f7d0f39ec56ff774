/** The part of undici's dispatchers that is used: those of the package, and the one inside Node.js. */
export interface Dispatcher {
  dispatch(request: DispatchRequest, handler: DispatchHandler): unknown
}

export interface DispatchRequest {
  readonly origin: string
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  readonly body: string | null
  /** 0 is none; the provider's own deadlines hold. */
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** What a dispatcher tells, in the form all versions of undici up to 7 have in common. */
export interface DispatchHandler {
  onConnect(abort: (reason?: Error) => void): void
  /** @param fields Names and values in turn. */
  onHeaders(status: number, fields: readonly RawText[], resume: () => void): boolean
  /** False makes the connection wait for `resume`. */
  onData(chunk: Uint8Array): boolean
  onComplete(): void
  onError(error: Error): void
}

/** Bytes, in Node.js's own class. */
export interface RawText {
  toString(encoding: 'latin1'): string
}
