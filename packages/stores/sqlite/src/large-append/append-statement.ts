/** A statement of an append that another thread executes. */
export interface AppendStatement {
  readonly sql: string
  readonly values: readonly unknown[]
  /** Whether the append must be undone if the statement changes no row. */
  readonly mustChange: boolean
}

/** The file that the thread writes to. */
export interface AppendTarget {
  readonly path: string
  readonly busyTimeoutMs: number
  /** Value of SQLite's pragma `synchronous`. */
  readonly synchronous: number
}

/** The statements of one append. */
export interface AppendRequest {
  readonly id: number
  readonly statements: readonly AppendStatement[]
}

/** What became durable: the whole append, or nothing because a statement changed no row or failed. */
export type AppendReply = { readonly id: number } & (
  | { readonly written: boolean }
  | { readonly message: string; readonly code: string }
)
