/** Finds the name that a misspelled name may mean. Case, `-` and `_` do not count. `undefined` if no name is similar. */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const plain = toPlain(wanted)
  let nearest: string | undefined
  let least = Math.floor(plain.length / 3) + 1
  let compared = 0
  for (const name of names) {
    const candidate = toPlain(name)
    // The difference of the lengths is part of the distance.
    if (Math.abs(candidate.length - plain.length) >= least) continue
    if (++compared > MOST_COMPARED) break
    const distance = editDistance(plain, candidate)
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest
}

/** Suggests the nearest name, or lists the known names. */
export function hintOf(wanted: string, names: readonly string[]): string {
  const nearest = nearestName(wanted, names)
  if (nearest !== undefined) return `did you mean '${nearest}'?`
  if (names.length === 0) return 'known: none'
  const shown = names.slice(0, MOST_NAMES).map(name => `'${name}'`)
  const rest = names.length - shown.length
  return `known: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/**
 * Largest number of names that are compared. A file may define thousands of names, and each comparison takes thousands
 * of steps.
 */
const MOST_COMPARED = 500

/** Largest number of names in an error message. An MCP server may have hundreds of tools. */
const MOST_NAMES = 30

function toPlain(name: string): string {
  // The comparison takes quadratic time, so only the start of a long name counts.
  return name.slice(0, 50).toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Counts the letters to insert, delete, replace or swap with their neighbor. */
function editDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + same,
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
