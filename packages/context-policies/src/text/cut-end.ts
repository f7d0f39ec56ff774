/** Shortens a text to at most `maxLength` characters and marks the cut with `…`. Never splits a surrogate pair. */
export function cutEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, Math.max(maxLength - 1, 0))
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}
