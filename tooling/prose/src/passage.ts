/** A piece of English in a file. */
export interface Passage {
  readonly kind: 'comment' | 'document' | 'message' | 'test-name'
  /** Offset of the first character of `text` in the file. */
  readonly start: number
  /**
   * The text. Each character that is not prose is replaced by another character, so the text has the same length as in
   * the file. So an offset in the passage gives the line in the file.
   */
  readonly text: string
}
