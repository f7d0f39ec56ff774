import type { Json } from '@parley/core'
import type { PromptyRole } from './prompty-message.ts'

/** A line that starts a message. */
export interface RoleMarker {
  readonly role: Exclude<PromptyRole, 'tool'>
  readonly attributes: Readonly<Record<string, Json>>
}

const ROLE = /^\s*(?:#\s*)?(system|user|assistant|developer)/i
const FORGED = /^(?:#\s*)?(?:system|user|assistant|developer)\s*:/i
// One or more line ends: an empty line cannot be a marker.
const BREAK = /[\r\n\u2028\u2029]+/g
const LONGEST_MARKER = 10_000

/** Reads a line that is only a role marker: `role:` or `role[key=value, …]:`. */
export function readRoleMarker(line: string): RoleMarker | undefined {
  // A marker is short, so a long line is text. This bounds the work for each line.
  if (line.length > LONGEST_MARKER) return undefined
  const found = ROLE.exec(line)
  const role = found?.[1]?.toLowerCase() as RoleMarker['role'] | undefined
  if (found === null || role === undefined) return undefined
  let rest = line.slice(found[0].length).trimStart()
  let attributes: RoleMarker['attributes'] = {}
  if (rest.startsWith('[')) {
    const read = readAttributes(rest)
    if (read === undefined) return undefined
    attributes = read.attributes
    rest = rest.slice(read.end).trimStart()
  }
  return rest.trimEnd() === ':' ? { role, attributes } : undefined
}

/** Finds the first line of a value that looks like a role marker. */
export function findForgedRole(text: string): string | undefined {
  let from = 0
  while (from < text.length) {
    BREAK.lastIndex = from
    const found = BREAK.exec(text)
    const start = text
      .slice(from, found?.index ?? text.length)
      .trimStart()
      .slice(0, LONGEST_MARKER)
    if (FORGED.test(start) || readRoleMarker(start) !== undefined) return start.slice(0, 40)
    if (found === null) break
    from = found.index + found[0].length
  }
  return undefined
}

/** Reads `[key=value, …]` from its opening bracket. Values may be quoted. */
function readAttributes(
  text: string,
): { readonly attributes: RoleMarker['attributes']; readonly end: number } | undefined {
  const attributes: [string, Json][] = []
  let at = skipSpace(text, 1)
  while (text[at] !== ']') {
    const equals = text.indexOf('=', at)
    if (equals < 0) return undefined
    const name = text.slice(at, equals).trim()
    if (!/^[A-Za-z_][\w.-]*$/.test(name)) return undefined
    const value = readValue(text, skipSpace(text, equals + 1))
    if (value === undefined) return undefined
    attributes.push([name, value.value])
    at = skipSpace(text, value.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== ']') return undefined
  }
  return { attributes: Object.fromEntries(attributes), end: at + 1 }
}

function readValue(text: string, from: number): { readonly value: Json; readonly end: number } | undefined {
  const quote = text[from]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, from + 1)
    return end < 0 ? undefined : { value: text.slice(from + 1, end), end: end + 1 }
  }
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== ']') end++
  return end === text.length ? undefined : { value: coerce(text.slice(from, end).trim()), end }
}

/** Converts an unquoted value to a boolean or a number if it looks like one. */
function coerce(text: string): Json {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return text
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}
