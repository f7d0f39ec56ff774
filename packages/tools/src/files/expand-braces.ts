/** Maximum number of patterns that one glob may expand to. */
const MAX_PATTERNS = 100

/**
 * Expands the alternatives of a glob: `*.{ts,tsx}` becomes `*.ts` and `*.tsx`.
 * @returns `undefined` if the glob expands to more than 100 patterns.
 */
export function expandBraces(glob: string): readonly string[] | undefined {
  let patterns = [glob]
  for (;;) {
    const parts = patterns.map(splitAtBraces)
    if (parts.every(found => found === undefined)) return [...new Set(patterns)]
    patterns = patterns.flatMap((pattern, index) => {
      const { before, options = [], after } = parts[index] ?? {}
      return parts[index] === undefined ? [pattern] : options.map(option => `${before}${option}${after}`)
    })
    if (patterns.length > MAX_PATTERNS) return undefined
  }
}

interface Alternatives {
  readonly before: string
  readonly options: readonly string[]
  readonly after: string
}

/** Finds the first braces with alternatives and without other braces inside. The expression cannot backtrack. */
function splitAtBraces(pattern: string): Alternatives | undefined {
  for (const { 0: whole, 1: middle = '', index } of pattern.matchAll(/\{([^{}]*)\}/g)) {
    if (!middle.includes(',')) continue
    return { before: pattern.slice(0, index), options: middle.split(','), after: pattern.slice(index + whole.length) }
  }
  return undefined
}
