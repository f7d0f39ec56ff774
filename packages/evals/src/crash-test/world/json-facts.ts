import type { Facts } from './facts.ts'

/** Returns a JSON value as facts: items of a list in any order, the lines of a text, and numbers as what they are. */
export function jsonFacts(place: string, value: unknown): Facts {
  const facts: Record<string, number> = {}
  const add = (fact: string, count = 1): void => {
    facts[fact] = (facts[fact] ?? 0) + count
  }
  const visit = (at: string, found: unknown): void => {
    if (typeof found === 'number') add(`${at}\t`, found)
    else if (found instanceof Map) visit(at, Object.fromEntries(found))
    else if (found instanceof Set) visit(at, [...found])
    else if (typeof found === 'string')
      for (const line of found.split('\n').filter(text => text !== '')) add(`${at}\t${line}`)
    else if (Array.isArray(found)) for (const item of found) add(`${at}[]\t${JSON.stringify(sorted(item))}`)
    else if (typeof found === 'object' && found !== null)
      for (const [name, inner] of Object.entries(found)) visit(`${at}.${name}`, inner)
    else if (found !== undefined) add(`${at}\t${JSON.stringify(found)}`)
  }
  visit(place, value)
  return facts
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
