import type { DigitGroup } from './digit-groups.ts'
import { namesOtherNumber, namesPhone, namesPhoneColumn } from './number-names.ts'
import { PhoneNumber } from './phone-number.ts'
import { matchPhoneShape } from './phone-shapes.ts'
import type { PiiSpan } from './pii-span.ts'
import { followsAccountGroups, isDigit, isWord, textBefore, UNSPACED_LETTER, WORD } from './text-edges.ts'

/** An internal extension after a number. */
const EXTENSION = new RegExp(
  String.raw`(?:;ext=|[ ,]{0,2}(?:(?:ext(?:ension)?|durchwahl|dw|poste|anexo|ramal|int(?:erno)?)\.?|内线|內線|分机|分機|転|내선|x)[ :.]{0,2}| #)\d{1,6}(?!${WORD})`,
  'iuy',
)
const HAN = /\p{Script=Han}/u
const AFTER_UNSPACED = new RegExp(UNSPACED_LETTER, 'u')

/** Finds phone numbers. */
export function* findPhones(text: string, groups: readonly DigitGroup[]): Generator<PiiSpan> {
  let from = 0
  for (const [index, group] of groups.entries()) {
    // Most numbers in a text are short and stand alone.
    if (group.end - group.start < 7 && groups[index + 1]?.gap === undefined) continue
    const number = PhoneNumber.at(text, groups, index)
    if (number.start < from) continue
    const end = phoneEnd(text, number)
    if (end === undefined) continue
    EXTENSION.lastIndex = end
    from = EXTENSION.test(text) ? EXTENSION.lastIndex : end
    yield { kind: 'phone', start: number.start, end: from }
  }
}

function phoneEnd(text: string, number: PhoneNumber): number | undefined {
  if (number.digits < 7) return undefined
  const { start } = number
  const before = textBefore(text, start, 64)
  const named = namesPhone(before)
  if (number.isInternational && (named || beginsInternational(text, number))) {
    const end = number.internationalEnd()
    if (end !== undefined) return end
  }
  if (number.hasPlus || isWord(text, start - 1)) return undefined
  if (!named && (!beginsAlone(text, start) || namesOtherNumber(before) || followsAccountGroups(text, start)))
    return undefined
  const shaped = matchPhoneShape(text, start) ?? number.nationalEnd()
  if (shaped !== undefined && !followsDigits(text, start, shaped)) return shaped
  if (named) return number.namedEnd()
  return isMobileNearHan(text, number) || (number.hasUsualStart() && namesPhoneColumn(textBefore(text, start, 160)))
    ? number.firstEnd
    : undefined
}

/** Returns whether a number with a calling code begins here. Zeros need a clearer beginning than a plus. */
function beginsInternational(text: string, { start, hasPlus }: PhoneNumber): boolean {
  if (isWord(text, start - 1)) return false
  return hasPlus || (beginsAlone(text, start) && !followsDigits(text, start, start + 4))
}

/** Returns whether the number does not continue a name, a path or another number. */
function beginsAlone(text: string, start: number): boolean {
  const before = text.charAt(start - 1)
  if (before === '#') return false
  if (!/[-._/]/.test(before) || !isWord(text, start - 2)) return true
  // Two phone numbers can be separated by a slash.
  return before === '/' && /\d[\d ().-]{5,}\d(?: ?(?:x|ext\.?) ?\d+)?\/$/.test(textBefore(text, start, 32))
}

/** Returns whether digits and a space precede groups with spaces, as in a row of numbers. A time or a date may precede. */
function followsDigits(text: string, start: number, end: number): boolean {
  if (text.charAt(start - 1) !== ' ' || !isDigit(text, start - 2) || !/^\d+(?: |$)/.test(text.slice(start, end)))
    return false
  return !/\d[:-]\d\d(?:[.,]\d{3})? $/.test(textBefore(text, start, 12))
}

/** Returns whether a number of eleven digits that begins like a Chinese mobile number stands in a Chinese text. */
function isMobileNearHan(text: string, { start, firstEnd }: PhoneNumber): boolean {
  if (!/^1[3-9]\d{9}$/.test(text.slice(start, firstEnd)) || isWord(text, firstEnd)) return false
  return HAN.test(textBefore(text, start, 24)) || AFTER_UNSPACED.test(text.slice(firstEnd, firstEnd + 8))
}
