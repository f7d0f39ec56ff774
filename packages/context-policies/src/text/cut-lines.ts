/**
 * Removes lines from the middle of a text that has more than `maxLines`. A mark in their place states how many lines
 * were removed.
 */
export function cutLines(text: string, maxLines: number): string {
  const lines = text.split('\n')
  if (lines.length <= maxLines) return text
  const head = Math.floor(maxLines / 2)
  const tail = maxLines - head
  const cut = lines.length - maxLines
  return [...lines.slice(0, head), `[... ${cut} lines truncated ...]`, ...lines.slice(lines.length - tail)].join('\n')
}
