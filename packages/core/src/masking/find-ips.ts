import type { PiiSpan } from './pii-span.ts'
import { isDigit, isWord, textBefore } from './text-edges.ts'

const V4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/g
const V6 = /(?:[0-9a-f]{0,4}:){2,7}(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4})?/gi

/** Text before four numbers that are a version or a section instead of an address. */
const NUMBERED = endsWith(
  String.raw`(?:ver|rev|build|section|chapter|clause|figure|§|paragraph|firmware|sdk|oid|schema|abschnitt|kapitel|fassung|(?:file|product|app|assembly)?_?-?vers(?:ion|ión|ão|ione)?s?)|版本|バージョン|버전|第`,
)
/** Words that can also stand before an address. */
const PERHAPS_NUMBERED = endsWith(
  String.raw`(?:releases?|released|drivers?|kernel|edition|article|table|patch|hotfix|(?:up|down)grad(?:e[ds]?|ing)|updat(?:e[ds]?|ing))|升级到|更新到`,
)

function endsWith(words: string): RegExp {
  const bridge = String.raw`(?:[\s_,-]*(?:number|num|nummer|no|to|from|and|or|is|of|was|auf|von|und|号|號|は|是|为|為|v?\d+(?:\.\d+){2,3}(?![\d.])))*`
  return new RegExp(String.raw`(?:(?<![a-z])${words})${bridge}\.?[\s"'` + '`' + String.raw`:=>()|,-]*$`, 'i')
}

/** Text before a version in the name of a package, a file or a program: `name==`, `Name/`, `name-`. */
const PACKAGED = /(?:(?<![a-z])v\.? ?|[a-z][\w.]*(?:==|@)|[~^]|(?<![\w/:.])[a-z]\w*\/|(?<![\d.])[a-z]\w*-)$/i
/** Text after a version in the name of a file. */
const FILE =
  /^(?:[-.+](?:alpha|beta|rc|snapshot|final|release|dev|jar|tar|t?gz|zip|exe|msi|deb|rpm|apk|whl|nupkg|dmg|pkg|so|dll|vsix|x86|x64|win|linux|amd64|arm)|-[a-z]|"?\s{1,2}(?:build|version|release)(?![a-z]))/i

/** Addresses that identify no person: this host, any host, networks, and network masks. */
const IMPERSONAL = /^(?:127\.|0\.|255\.)|\.0\.0$/

/** Finds IPv4 and IPv6 addresses. */
export function* findIps(text: string, from: number): Generator<PiiSpan> {
  yield* spans(text, searchFrom(V4, from), acceptV4)
  if (text.includes('::', from) || /:[0-9a-f]{1,4}:[0-9a-f]{1,4}:/i.test(text))
    yield* spans(text, searchFrom(V6, from), acceptV6)
}

function searchFrom(pattern: RegExp, from: number): RegExp {
  const search = new RegExp(pattern)
  search.lastIndex = from
  return search
}

type Accept = (text: string, start: number, end: number) => number | undefined

function* spans(text: string, search: RegExp, accept: Accept): Generator<PiiSpan> {
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const start = match.index
    const end = accept(text, start, start + match[0].length)
    search.lastIndex = end ?? start + 1
    if (end !== undefined) yield { kind: 'ip', start, end }
  }
}

/** Returns the end of an IPv4 address. `undefined` if the text is something else. */
function acceptV4(text: string, start: number, end: number): number | undefined {
  const address = text.slice(start, end)
  if (!isV4(address) || IMPERSONAL.test(address)) return undefined
  if (isWord(text, start - 1) || isWord(text, end) || text.charAt(start - 1) === '_' || text.charAt(end) === '_')
    return undefined
  if (text.charAt(start - 1) === '.' && (isDigit(text, start - 2) || isWord(text, start - 2))) return undefined
  if (text.charAt(end) === '.' && isDigit(text, end + 1)) return undefined
  const before = textBefore(text, start, 48)
  if (FILE.test(text.slice(end, end + 12)) || isNumbered(address, before)) return undefined
  return PACKAGED.test(before) && !isCertain(address, before) ? undefined : end
}

/** Returns whether the numbers are a version or a section. A version rarely has large numbers. */
function isNumbered(address: string, text: string): boolean {
  return NUMBERED.test(text) || (PERHAPS_NUMBERED.test(text) && !hasLargeNumber(address))
}

function hasLargeNumber(address: string): boolean {
  return address.split('.').some(part => Number(part) >= 100)
}

/** Returns whether an address after `@`, `/`, `==` or `-` is certain, because its numbers are too large for a version. */
function isCertain(address: string, before: string): boolean {
  if (before.endsWith('/'))
    return !address.endsWith('.0') && !/[A-Z]\w*\/$/.test(before) && Number.parseInt(address, 10) >= 10
  if (/v\.? ?$/i.test(before)) return false
  return /(?:ip|ipv4|addr|address|host|src|dst|peer|client|remote)(?:==|-)$/i.test(before) || hasLargeNumber(address)
}

function isV4(text: string): boolean {
  return text.split('.').every(part => Number(part) <= 255 && (part === '0' || !part.startsWith('0')))
}

/** Returns the end of an IPv6 address. `undefined` if the text is something else. */
function acceptV6(text: string, start: number, end: number): number | undefined {
  const address = text.slice(start, end)
  const whole = isV6(address)
    ? address
    : address.endsWith(':') && isV6(address.slice(0, -1))
      ? address.slice(0, -1)
      : undefined
  if (whole === undefined) return undefined
  const last = start + whole.length
  if (
    isWord(text, start - 1) ||
    isWord(text, last) ||
    (/[_.-]/.test(text.charAt(start - 1)) && isWord(text, start - 2))
  )
    return undefined
  // A colon before the address belongs to a longer address, or it follows a name such as `client:`.
  if (text.charAt(start - 1) === ':' && !/(?:[g-z_\s"'\]})][\w-]*|\W):$/i.test(textBefore(text, start, 16)))
    return undefined
  if (text.charAt(last) === '_' || (text.charAt(last) === ':' && /[0-9a-f:]/i.test(text.charAt(last + 1))))
    return undefined
  return text.charAt(last) === '.' && isDigit(text, last + 1) ? undefined : last
}

/** Accepts eight groups, or fewer around one `::`. Short ones without a digit are names in code (`Foo::Bad`). */
function isV6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2 || /^::1?$/.test(text)) return false
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')))
  const tail = groups.at(-1) ?? ''
  const hasV4 = tail.includes('.')
  if (hasV4 && !isV4(tail)) return false
  const count = groups.length + (hasV4 ? 1 : 0)
  if (groups.some(group => group === '')) return false
  // Eight pairs of digits are the hardware address of a device.
  if (halves.length === 1) return count === 8 && groups.some(group => group.length > 2)
  return count < 8 && count >= 2 && /\d/.test(text) && /[0-9a-f]{3}/i.test(text)
}
