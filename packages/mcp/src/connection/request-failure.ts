/** The kind of an error that the SDK threw. */
export type RequestFailure =
  /** The connection is lost. */
  | { readonly kind: 'lost'; readonly detail: string }
  | { readonly kind: 'timeout' }
  /** The server answered with a JSON-RPC error. */
  | { readonly kind: 'refused'; readonly rpcCode: number; readonly detail: string }
  | { readonly kind: 'other'; readonly detail: string }

const LOST = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED', 'EPIPE', 'ECONNRESET', 'ECONNREFUSED'])
const SESSION_GONE = 404

/**
 * Classifies the error of a request. Reads fields instead of checking classes, so that the SDK is not loaded for it.
 * @param redact Removes secrets: a server may quote the request in its error.
 */
export function toRequestFailure(error: unknown, redact: (text: string) => string): RequestFailure {
  const failure = classify(error)
  return failure.kind === 'timeout' ? failure : { ...failure, detail: redact(failure.detail) }
}

/** Returns the error as a cause. Loggers print the cause with the error, so a cause that quotes a secret is dropped. */
export function asCause(error: unknown, redact: (text: string) => string): { readonly cause?: unknown } {
  const text = error instanceof Error ? error.message : String(error)
  return redact(text) === text ? { cause: error } : {}
}

function classify(error: unknown): RequestFailure {
  if (!(error instanceof Error)) return { kind: 'other', detail: String(error) }
  const code: unknown = 'code' in error ? error.code : undefined
  if (code === 'REQUEST_TIMEOUT') return { kind: 'timeout' }
  if (isLoss(error, code)) return { kind: 'lost', detail: causeOf(error) }
  if (typeof code === 'number') {
    // The SDK repeats the code in the message.
    return { kind: 'refused', rpcCode: code, detail: error.message.replace(/^MCP error -?\d+: /, '') }
  }
  return { kind: 'other', detail: error.message }
}

function isLoss(error: Error, code: unknown): boolean {
  if (typeof code === 'string' && (LOST.has(code) || code.startsWith('ERR_STREAM_'))) return true
  if ('status' in error && error.status === SESSION_GONE) return true
  // Node's fetch throws a bare TypeError with the socket's error as its cause.
  return error.message === 'Not connected' || (error instanceof TypeError && error.message === 'fetch failed')
}

function causeOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const { code } = cause as NodeJS.ErrnoException
  return `${message}: ${cause.message === '' ? String(code) : cause.message}`
}
