import type { PiiSpan } from './pii-span.ts'

const BEFORE = String.raw`(?<![\p{L}\p{N}_+]|\d[ .,:/=-]|[/#.-])`
const AFTER = String.raw`(?![\p{L}\p{N}_]|[.,:/-]\d| \d)`

/** International: `+49 30 1234-567`, `0041 (0)44 123 45 67`. The country code is unambiguous. */
const INTERNATIONAL = new RegExp(
  String.raw`${BEFORE}(?:\+|00)[1-9]\d{0,2}(?:[ .\-/]?\(\d{1,5}\))?[ .\-/]?\d+(?:[ .\-/]\d+){0,6}${AFTER}`,
  'gu',
)
/** North American: area code and exchange begin with 2 to 9. */
const NORTH_AMERICAN = new RegExp(
  String.raw`${BEFORE}(?:1[ .-])?(?:\([2-9]\d{2}\)[ .-]?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}${AFTER}`,
  'gu',
)
/** National with a leading 0: either in groups, or after a word that marks it as a phone number. */
const NATIONAL = new RegExp(String.raw`${BEFORE}\(?0[1-9]\d{0,10}\)?(?:[ .\-/]\d{2,8}){0,5}${AFTER}`, 'gu')
/** Any digits of a plausible length, after a word that marks them as a phone number. */
const BARE = new RegExp(String.raw`${BEFORE}\(?\d{2,13}\)?(?:[ .-]\d{2,8}){0,4}${AFTER}`, 'gu')

const NAMED =
  /\b(?:phones?|telephone|tel|call(?:ed|ing)?|mobile|cell(?:phone)?|fax|whatsapp|sms|text(?:ed)?|dial(?:led|ed)?|ring|telefon|handy|mobil|t[ée]l[ée]phone|reach(?:ed)?|hotline|voicemail)\b(?:\s+(?:number|no|nr|me|him|her|us|them|you|is|at|on|to|under|please|back|line|a|new|my|his|the))*[\s.:#=()"'-]*$/i

/** Finds phone numbers. */
export function* findPhones(text: string): Generator<PiiSpan> {
  yield* spans(text, INTERNATIONAL, match => hasDigits(match, 8, 15))
  yield* spans(text, NORTH_AMERICAN, () => true)
  yield* spans(text, NATIONAL, (match, before) => hasDigits(match, 9, 12) && (isGrouped(match) || NAMED.test(before)))
  yield* spans(text, BARE, (match, before) => hasDigits(match, 7, 13) && NAMED.test(before) && !isDate(match))
}

function* spans(text: string, pattern: RegExp, holds: (match: string, before: string) => boolean): Generator<PiiSpan> {
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (!holds(match, text.slice(Math.max(0, index - 40), index))) continue
    yield { kind: 'phone', start: index, end: index + match.length }
  }
}

function hasDigits(text: string, min: number, max: number): boolean {
  const { length } = text.replaceAll(/\D/g, '')
  return length >= min && length <= max
}

function isGrouped(text: string): boolean {
  return /\d[ ./-]\d|\)/.test(text) && !isDate(text)
}

/** Matches dates such as `01.02.2024` and `2024-01-02`. */
function isDate(text: string): boolean {
  return /^(?:\d{1,2}([./-])\d{1,2}\1\d{4}|\d{4}([./-])\d{1,2}\2\d{1,2})$/.test(text.trim())
}
