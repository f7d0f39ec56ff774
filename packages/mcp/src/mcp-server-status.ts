import type { ErrorInfo } from '@parley/core'

/** Where a server stands. `failed` is not the end: the next call or listing starts it again, `stopped` is. */
export type McpServerStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly error: ErrorInfo }
  | { readonly state: 'stopped' }
