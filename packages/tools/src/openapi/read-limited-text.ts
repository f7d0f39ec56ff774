/** The body's text up to a number of bytes, cut between characters, and whether there was more. The rest is not fetched. */
export async function readLimitedText(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', cut: false }
  // In a stream, a character whose bytes are not all there is held back.
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
