/** Maximum number of patterns that one glob may expand to. */
const MAX_PATTERNS = 100

/**
 * Expands the alternatives of a glob: `*.{ts,tsx}` becomes `*.ts` and `*.tsx`.
 * @returns `undefined` if the glob expands to more than 100 patterns.
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
