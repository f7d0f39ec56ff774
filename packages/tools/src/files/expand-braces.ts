/** Most patterns one glob may stand for. */
const MAX_PATTERNS = 100

/**
 * Writes out the alternatives of a glob: `*.{ts,tsx}` is `*.ts` and `*.tsx`.
 * @returns undefined when there are more than 100.
 */
export function expandBraces(glob: string): readonly string[] | undefined {
  let patterns = [glob]
  for (;;) {
    const match = patterns.map(pattern => /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern))
    if (match.every(found => found === null)) return [...new Set(patterns)]
    patterns = patterns.flatMap((pattern, index) => {
      const [, before = '', middle = '', after = ''] = match[index] ?? []
      return match[index] === null ? [pattern] : middle.split(',').map(option => `${before}${option}${after}`)
    })
    if (patterns.length > MAX_PATTERNS) return undefined
  }
}
