const MARK = ' […] '

/**
 * Shortens a text to at most `max` characters. Keeps its beginning and its end, with a mark between them. Never splits a
 * surrogate pair.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const room = max - MARK.length
  if (room < 2) return text.slice(0, boundary(text, max))
  const head = boundary(text, Math.ceil(room / 2))
  const tail = text.length - Math.floor(room / 2)
  return text.slice(0, head) + MARK + text.slice(boundary(text, tail) === tail ? tail : tail + 1)
}

/** Returns the index, or the index before it if a cut there would split a surrogate pair. */
function boundary(text: string, at: number): number {
  const isPair = at > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
  return isPair ? at - 1 : at
}
