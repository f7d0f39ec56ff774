import type { DigitGroup } from './digit-groups.ts'
import type { PiiSpan } from './pii-span.ts'
import { namesProductNumber } from './number-names.ts'
import { followsAccountGroups, isDigit, isWord, textBefore } from './text-edges.ts'

const MAX_DIGITS = 19

/** Finds card numbers of known networks with a valid Luhn check digit, in any usual grouping. */
export function* findCards(text: string, groups: readonly DigitGroup[]): Generator<PiiSpan> {
  let from = 0
  for (const [index, { start }] of groups.entries()) {
    if (start < from) continue
    const end = cardEnd(text, groups, index)
    if (end === undefined) continue
    from = end
    yield { kind: 'card', start, end }
  }
}

/** Returns the end of the longest card number that begins with the group at `first`. */
function cardEnd(text: string, groups: readonly DigitGroup[], first: number): number | undefined {
  const start = groups[first]?.start ?? 0
  if (isWord(text, start - 1)) return undefined
  const shape = new Shape()
  let digits = ''
  let found: number | undefined
  for (let index = first; index < groups.length; index++) {
    const group = groups[index]
    if (group === undefined || group.end - group.start > MAX_DIGITS) break
    const size = group.end - group.start
    // A number on the next line belongs to the card only if the card is not complete without it.
    if (found !== undefined && group.gap === '\n') break
    if (digits.length + size > MAX_DIGITS || !shape.add(size, index === first ? '' : group.gap)) break
    digits += text.slice(group.start, group.end)
    if (!isCardNumber(digits) || !shape.isUsual()) continue
    if (standsAlone(text, { start, end: group.end, separator: shape.separator })) found = group.end
  }
  return found === undefined || namesProductNumber(textBefore(text, start, 32)) ? undefined : found
}

/** The lengths of groups with one separator. A line break may replace a separator or break one group. */
class Shape {
  readonly #lengths: number[] = []
  /** Index of the group after the first line break. */
  #breakAt = 0
  #breaks = 0
  #separator = ''

  /** The separator of the groups. */
  get separator(): string {
    return this.#separator === '' && this.#breaks > 0 ? '\n' : this.#separator
  }

  /** Adds a group. Returns false if the separator before it differs from the others. */
  add(length: number, gap: string | undefined): boolean {
    if (gap === undefined || gap === '(' || gap === ')') return false
    if (gap === '\n') {
      if (this.#breaks === 0) this.#breakAt = this.#lengths.length
      this.#breaks += 1
    } else if (gap !== '') {
      if (this.#separator !== '' && this.#separator !== gap) return false
      this.#separator = gap
    }
    this.#lengths.push(length)
    return true
  }

  isUsual(): boolean {
    const at = this.#breakAt
    const lengths = this.#lengths
    if (isUsualShape(lengths)) return true
    const joined = lengths.toSpliced(at - 1, 2, (lengths[at - 1] ?? 0) + (lengths[at] ?? 0))
    return this.#breaks === 1 && isUsualShape(joined)
  }
}

function isUsualShape(lengths: readonly number[]): boolean {
  const [first = 0] = lengths
  if (lengths.length === 1) return true
  const middle = lengths.slice(1, -1)
  if (first >= 4 && first <= 8 && lengths.length <= 5) return middle.every(length => length >= 3 && length <= 8)
  return first <= 2 && lengths.length >= 7 && lengths.every(length => length === first)
}

/** Returns whether the number is not a part of a longer number, a decimal fraction or a UUID. */
function standsAlone(
  text: string,
  { start, end, separator }: { start: number; end: number; separator: string },
): boolean {
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  if (isWord(text, end)) return false
  // The groups follow a country and check digits, so they belong to an account number.
  if (separator !== '' && followsAccountGroups(text, start)) return false
  if (before === '.' && isDigit(text, start - 2)) return false
  if (after === '.' && isDigit(text, end + 1)) return false
  // Numbers on more lines are a column of numbers.
  if (separator === '\n')
    return !/\d\s+$/.test(text.slice(Math.max(0, start - 8), start)) && !/^\s+\d/.test(text.slice(end, end + 8))
  if (separator !== '' && separator !== ' ') {
    if (before === separator && isDigit(text, start - 2)) return false
    if (after === separator && isDigit(text, end + 1)) return false
  }
  return (before !== '-' && after !== '-') || !isInUuid(text, start)
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi

function isInUuid(text: string, index: number): boolean {
  const from = Math.max(0, index - 36)
  for (const match of text.slice(from, index + 36).matchAll(UUID)) {
    if (from + match.index <= index && index < from + match.index + 36) return true
  }
  return false
}

/** The first digits of card networks' numbers, with the lengths that the network issues. */
const NETWORKS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 18, 19]],
  [/^(?:5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|[689])/, [14, 16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:50|5[6-8]|6)/, [13, 14, 15, 16, 17, 18, 19]],
  [/^(?:220[0-4]|9792|8[12])/, [16, 17, 18, 19]],
]

function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || /^(\d)\1+$/.test(digits)) return false
  return (
    NETWORKS.some(([start, lengths]) => start.test(digits) && lengths.includes(digits.length)) && hasLuhnDigit(digits)
  )
}

/** Returns whether the last digit is the Luhn check digit of the others. */
function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
