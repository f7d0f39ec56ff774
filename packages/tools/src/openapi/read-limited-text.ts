/** Reads the body's text up to a number of bytes, cut between characters. Does not fetch the rest. `cut` says whether there was more. */
export async function readLimitedText(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const reader = response.body?.getReader()
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
      await reader.cancel()
      return { text, cut: true }
    }
  }
}
