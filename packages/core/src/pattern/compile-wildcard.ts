/**
 * Compiles a pattern in which `*` stands for any characters. Matching takes linear time: a regular expression with many stars
 * would backtrack, and a long name could block the process.
 * @returns A test whether the pattern matches a whole text.
 */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text => text === first
  return text => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const piece of rest) {
      const found = text.indexOf(piece, at)
      if (found === -1) return false
      at = found + piece.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}
