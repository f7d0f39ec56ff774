/** The text without the middle of its lines, when there are more than `maxLines`. */
export function cutLines(text: string, maxLines: number): string {
  const lines = text.split('\n')
  if (lines.length <= maxLines) return text
  const head = Math.floor(maxLines / 2)
  const tail = maxLines - head
  const cut = lines.length - maxLines
  return [...lines.slice(0, head), `[... ${cut} lines truncated ...]`, ...lines.slice(lines.length - tail)].join('\n')
}

/** The beginning of the text, of at most so many characters; never half of a character. */
export function cutEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, Math.max(maxLength - 1, 0))
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}

/** Both ends of the text, of at most about so many characters. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = Math.floor(maxLength / 2)
  const cut = text.length - 2 * half
  return `${text.slice(0, half)}\n[... ${cut} characters left out ...]\n${text.slice(text.length - half)}`.toWellFormed()
}
