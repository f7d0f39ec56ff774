/** The beginning of the text, of at most so many characters; never half of a character. */
export function cutEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = text.slice(0, Math.max(maxLength - 1, 0))
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}
