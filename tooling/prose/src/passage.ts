/** A piece of English in a file. */
export interface Passage {
  readonly kind: 'comment' | 'document' | 'message' | 'test-name'
  /** Offset of the first character of `text` in the file. */
  readonly start: number
  /**
   * The text, as long as it is in the file: characters that are not prose are replaced one by one, so that an offset
   * in the passage leads to a line of the file.
   */
  readonly text: string
}
