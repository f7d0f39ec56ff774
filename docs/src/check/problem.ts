/** A fault in a document. */
export interface Problem {
  /** Path from the root of the repository. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}
