import type { ErrorInfo } from '@parley/core'

/** Where a server stands. `failed` is not the end: the next call or listing starts it again, `stopped` is. */
export type McpServerStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready' }
  /** A person has to agree. Calls fail until `reauthenticate`, or until the token store has a token. */
  | { readonly state: 'needs-auth'; readonly error: ErrorInfo }
  /** A server behind a URL was lost and is tried again after `retryInMs`, or by the next call. */
  | { readonly state: 'backoff'; readonly error: ErrorInfo; readonly retryInMs: number }
  | { readonly state: 'failed'; readonly error: ErrorInfo }
  | { readonly state: 'stopped' }
