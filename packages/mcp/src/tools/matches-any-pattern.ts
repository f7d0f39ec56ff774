/** Whether one of `patterns` matches the whole `name`. `*` stands for any characters. */
export function matchesAnyPattern(name: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => matches(name, pattern.split('*')))
}

function matches(name: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - at >= last.length && name.endsWith(last)
}
