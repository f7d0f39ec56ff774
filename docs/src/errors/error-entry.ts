/** What the page about an error code says. */
export interface ErrorEntry {
  /** When the error occurs, in one or two sentences. */
  readonly cause: string
  /** What to do, in one or two sentences. */
  readonly remedy: string
}
