/** Text of a body up to a limit. */
export interface LimitedText {
  readonly text: string
  /** Whether the body has more than the limit. */
  readonly cut: boolean
}

/** Reads the text of a body up to a number of bytes, cut between characters. Cancels the rest. */
export async function readLimitedText({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<LimitedText> {
  const reader = body?.getReader()
  if (reader === undefined) return { text: '', cut: false }
  // With `stream: true`, the decoder holds back a character whose bytes are incomplete.
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), cut: false }
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.length
    if (left < 0) {
      // The rest is irrelevant, and some bodies never finish cancelling.
      void reader.cancel().catch(() => undefined)
      return { text, cut: true }
    }
  }
}
