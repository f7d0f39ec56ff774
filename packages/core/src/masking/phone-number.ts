import { callingCodeOf } from './calling-codes.ts'
import type { DigitGroup } from './digit-groups.ts'
import { endsAlone } from './phone-shapes.ts'
import { isWord, textBefore } from './text-edges.ts'

const MAX_DIGITS = 15

/** A place at which a number can end. */
interface End {
  readonly at: number
  /** Number of digits up to here. */
  readonly digits: number
  /** The separator before the last group. */
  readonly gap: string
  /** Number of digits of the last group. */
  readonly size: number
}

/** Groups of digits that can be a phone number, with the places at which it can end. */
export class PhoneNumber {
  readonly start: number
  readonly hasPlus: boolean
  /** Whether the number begins with a plus or with 00. */
  readonly isInternational: boolean
  readonly #text: string
  readonly #first: number
  readonly #ends: readonly End[]

  private constructor(text: string, groups: readonly DigitGroup[], index: number) {
    const first = groups[index]?.start ?? 0
    this.#text = text
    this.#first = first
    this.#ends = endsFrom(groups, index)
    this.start = startOf(text, first, this.#ends.at(-1)?.at ?? first)
    this.hasPlus = text.slice(this.start, first).includes('+')
    this.isInternational = this.hasPlus || /^00[1-9]/.test(text.slice(first, first + 3))
  }

  /** Reads the number that begins with the group at `index`. */
  static at(text: string, groups: readonly DigitGroup[], index: number): PhoneNumber {
    return new PhoneNumber(text, groups, index)
  }

  /** Number of digits up to the last possible end. */
  get digits(): number {
    return this.#ends.at(-1)?.digits ?? 0
  }

  get firstEnd(): number {
    return this.#ends[0]?.at ?? this.#first
  }

  /** Returns the end of a number with a calling code. */
  internationalEnd(): number | undefined {
    const { hasPlus } = this
    const zeros = hasPlus ? 0 : 2
    const code = callingCodeOf(this.#digitsFrom(zeros))
    if (code === undefined || this.#isCoordinate()) return undefined
    // A zero in brackets is dialled only inside the country.
    const optional = /^[+0-9 (]{1,8}[ ).-]{0,3}\(0\)/.test(this.#text.slice(this.start, this.start + 12)) ? 1 : 0
    const national = (digits: number): number => digits - zeros - code.digits - optional
    const usual = this.#longest(end => national(end.digits) >= code.min, code.max + zeros + code.digits + optional)
    if (usual !== undefined || !hasPlus) return usual
    // Invented numbers often have the wrong length. Groups after a plus are still a phone number.
    return this.#longest(({ digits }) => digits >= (this.#ends.length > 1 ? 9 : 10), MAX_DIGITS)
  }

  /** Returns the end of a number in groups that begins with 0, as it is dialled inside a country. */
  nationalEnd(): number | undefined {
    const first = this.#ends[0]
    if (
      first === undefined ||
      this.#ends.length < 2 ||
      !/^\(?0[1-9]/.test(this.#text.slice(this.start, this.start + 3))
    )
      return undefined
    const pairs = this.#ends.length >= 5 && this.#ends.slice(0, 5).every(({ size }) => size === 2)
    const end = pairs ? this.#ends[4]?.at : this.#longest(({ digits }) => digits >= 9, 12)
    if (end === undefined || end === first.at) return undefined
    const last = this.#ends.findIndex(({ at }) => at === end)
    const [chosen, next] = [this.#ends[last], this.#ends[last + 1]]
    // More groups of the same length belong to a longer number of another kind.
    if (next !== undefined && chosen !== undefined && next.gap === chosen.gap && next.size === chosen.size)
      return undefined
    return containsDate(this.#text.slice(this.start, (next ?? chosen)?.at)) ? undefined : end
  }

  /** Returns the end of a number after a word that marks it as a phone number. */
  namedEnd(): number | undefined {
    const first = this.#ends[0]
    if (first !== undefined && first.size >= 9)
      return first.size <= 13 && !isWord(this.#text, first.at) ? first.at : undefined
    const end = this.#longest(({ digits }) => digits >= 7, 13)
    return end === undefined || containsDate(this.#text.slice(this.start, end + 8)) ? undefined : end
  }

  /** Returns whether the first group has the beginning and the length that are usual for phone numbers written without groups. */
  hasUsualStart(): boolean {
    const group = this.#text.slice(this.#first, this.firstEnd)
    return (
      /^(?:1?[2-9]\d{2}[2-9]\d{6}|0[1-9]\d{7,10}|[679]\d{8}|1[3-9]\d{9})$/.test(group) &&
      !isWord(this.#text, this.firstEnd)
    )
  }

  /** Returns the last end with enough digits, at most `max`. A number does not change its separator when it is long enough. */
  #longest(isEnough: (end: End) => boolean, max: number): number | undefined {
    const gaps = new Set<string>()
    let found: number | undefined
    let unclear: number | undefined
    for (const [index, end] of this.#ends.entries()) {
      if (end.digits > max) break
      // A hyphen can stand before an internal extension.
      if (found !== undefined && !gaps.has(end.gap) && !(end.gap === '-' && end.size <= 4)) break
      if (index > 0) gaps.add(end.gap)
      if (!isEnough(end)) continue
      if (endsAlone(this.#text, end.at, end.at)) found = end.at
      else if (!isWord(this.#text, end.at)) unclear = end.at
    }
    return found ?? unclear
  }

  #digitsFrom(index: number): string {
    const last = this.#ends.at(-1)?.at ?? this.#first
    return this.#text.slice(this.#first, last).replaceAll(/\D/g, '').slice(index)
  }

  /** Returns whether the number is one of two decimal fractions, such as a latitude. */
  #isCoordinate(): boolean {
    const around = this.#text.slice(this.start, this.start + 48)
    return (
      /^\+\d{1,3}\.\d+[°,;\s/]{1,3}[+-]?\d{1,3}\.\d/.test(around) ||
      (/^\+\d{1,3}\.\d+/.test(around) && /\d\.\d+[°,;\s/]{0,3}$/.test(textBefore(this.#text, this.start, 24)))
    )
  }
}

function endsFrom(groups: readonly DigitGroup[], first: number): readonly End[] {
  const ends: End[] = []
  let digits = 0
  for (let index = first; index < groups.length && index < first + 10; index++) {
    const group = groups[index]
    if (group === undefined || (index > first && group.gap === undefined)) break
    const size = group.end - group.start
    digits += size
    if (digits > MAX_DIGITS + 2) break
    ends.push({ at: group.end, digits, gap: group.gap ?? '', size })
  }
  return ends
}

/** Returns the start with the plus and the opening bracket of the area code. */
function startOf(text: string, first: number, last: number): number {
  const opening = /(?:\+ ?\(?|\(\+|\()$/.exec(textBefore(text, first, 3))?.[0] ?? ''
  const bracket = opening.indexOf('(')
  if (bracket < 0) return first - opening.length
  // A bracket that closes after the number encloses the whole number.
  if (text.slice(first, last).includes(')')) return first - opening.length
  return first - opening.length + (bracket === 0 ? 1 : 0)
}

const DATE =
  /(?<!\d|\d[-./])(?:(?:19|20)\d{2}([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|\d{1,2}([-./])\d{1,2}\2(?:(?:19|20)\d{2}|\d{2}(?!\2?\d)))(?!\d)/

function containsDate(text: string): boolean {
  return DATE.test(text)
}
