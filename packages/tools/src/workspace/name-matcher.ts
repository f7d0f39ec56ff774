/** Returns whether a list of denied names matches a path, given as its segments. */
export type NameMatcher = (segments: readonly string[]) => boolean

interface Rule {
  readonly denies: boolean
  readonly segments: readonly ((name: string) => boolean)[]
}

/**
 * Compiles denied names. An entry is one or more path segments (`.git/config`) in which `*` matches any text within a
 * segment. It matches at any depth, with everything below. If several entries match the same name, the last one decides.
 * An entry that starts with `!` allows the name.
 */
export function createNameMatcher(names: readonly string[]): NameMatcher {
  const rules = names.map(toRule)
  return given => {
    const segments = given.map(foldName)
    return segments.some((_, end) => deniedAt(rules, segments, end))
  }
}

function toRule(name: string): Rule {
  const denies = !name.startsWith('!')
  const segments = (denies ? name : name.slice(1)).split('/').filter(segment => segment !== '')
  return { denies, segments: segments.map(toSegmentTest) }
}

function deniedAt(rules: readonly Rule[], segments: readonly string[], end: number): boolean {
  const last = rules.findLast(({ segments: tests }) => {
    const start = end + 1 - tests.length
    return start >= 0 && tests.length > 0 && tests.every((test, index) => test(segments[start + index] ?? ''))
  })
  return last?.denies === true
}

/**
 * Tests wildcards in linear time. A regular expression with many wildcards would backtrack and let a long name block the process.
 * Core's `compileWildcard` does the same, but the thread of grep starts faster if this file imports no package.
 */
function toSegmentTest(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*').map(foldName)
  const last = rest.pop()
  if (last === undefined) return name => name === first
  return name => {
    if (!name.startsWith(first)) return false
    let at = first.length
    for (const piece of rest) {
      const found = name.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return name.length - last.length >= at && name.endsWith(last)
  }
}

/**
 * Maps names to one form if a file system could take them for the same file. This stops a path such as `.ENV`, `.env.` or
 * `.env::$DATA` from bypassing a denied `.env`. It ignores case, Unicode composition, invisible characters and, for Windows,
 * stream suffixes and trailing dots and spaces.
 */
function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  const plain = folded.includes(':') ? folded.slice(0, folded.indexOf(':')) || folded : folded
  let end = plain.length
  while (end > 0 && (plain[end - 1] === '.' || plain[end - 1] === ' ')) end--
  return plain.slice(0, end)
}
