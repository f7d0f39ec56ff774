import type { PiiSpan } from './pii-span.ts'

const V4 = /(?<![\p{L}\p{N}_]|[\d.]\.?)(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d|-?\p{L}|_)/gu
/** Text before four numbers that are a version or a section instead of an address. */
const NUMBERED =
  /(?:\b(?:v|ver|version|release|build|section|chapter|clause|figure|§|paragraph|firmware|driver)\.?\s*|[a-z]@|==|[~^])$/i
const V6 =
  /(?<![\p{L}\p{N}:._-])(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?![\p{L}\p{N}:_]|\.\d)/giu

/** Addresses that identify no person: this host, any host, and network masks. */
const IMPERSONAL = /^(?:127\.|0\.|255\.)/

/** Finds IPv4 and IPv6 addresses. */
export function* findIps(text: string): Generator<PiiSpan> {
  for (const { 0: match, index } of text.matchAll(V4)) {
    if (!isV4(match) || IMPERSONAL.test(match) || NUMBERED.test(text.slice(Math.max(0, index - 20), index))) continue
    yield { kind: 'ip', start: index, end: index + match.length }
  }
  for (const { 0: match, index } of text.matchAll(V6)) {
    if (isV6(match)) yield { kind: 'ip', start: index, end: index + match.length }
  }
}

function isV4(text: string): boolean {
  return text.split('.').every(part => Number(part) <= 255 && (part === '0' || !part.startsWith('0')))
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
  if (halves.length === 1) return count === 8
  return count < 8 && count >= 2 && /\d/.test(text) && /[0-9a-f]{3}/i.test(text)
}
