import { isDigit, isWord } from './text-edges.ts'

const GAP = String.raw`(?: ?[-./] ?| {1,2}|\r?\n)`

/** Groupings that are usual for phone numbers and unusual for other numbers. */
const SHAPES: readonly RegExp[] = [
  // North America: area code and exchange begin with 2 to 9.
  String.raw`(?:1(?: ?[-.] ?| ))?(?:\([2-9]\d{2}\)[ .-]{0,2}|[2-9]\d{2}${GAP})[2-9]\d{2}${GAP}\d{4}`,
  String.raw`[2-9]\d{2}_[2-9]\d{2}_\d{4}`,
  // Mobile numbers in China
  String.raw`1[3-9]\d${GAP}\d{4}${GAP}\d{4}`,
  // Russia and Kazakhstan
  String.raw`[78][ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}`,
  // Spain and others without a leading 0
  String.raw`[6-9]\d{2} \d{2} \d{2} \d{2}`,
  // An area code in brackets
  String.raw`\((?:0[1-9]\d{0,4}|\d{2})\)[ -]?\d{3,5}-?\d{3,5}`,
  // Mobile numbers without groups: France and Switzerland, United Kingdom, Germany, Japan, Korea, Australia
  String.raw`0(?:[67]\d{8,9}|1[5-7]\d{8,9}|[789]0\d{8}|10\d{8}|4\d{8})(?! \d)`,
].map(shape => new RegExp(shape, 'y'))

/** Groupings that other numbers have too. They count if the number is the whole value of a row or a literal. */
const FIELD_SHAPES: readonly RegExp[] = [
  /[679]\d{2} \d{3} \d{3}/y,
  /[6-9]\d{4} \d{5}/y,
  /[1-9]\d \d{4} \d{4}/y,
  /0[1-9]\d{8,9}/y,
]

/** Returns the end of a number with one of the usual groupings at `start`. */
export function matchPhoneShape(text: string, start: number): number | undefined {
  return endOf(SHAPES, text, start) ?? (isFieldStart(text, start) ? fieldEnd(text, start) : undefined)
}

function endOf(shapes: readonly RegExp[], text: string, start: number): number | undefined {
  for (const shape of shapes) {
    shape.lastIndex = start
    if (shape.test(text) && endsAlone(text, start, shape.lastIndex)) return shape.lastIndex
  }
  return undefined
}

/** Returns whether the number does not continue after `end`. */
export function endsAlone(text: string, start: number, end: number): boolean {
  if (isWord(text, end)) return false
  const after = text.charAt(end)
  if (/[-._]/.test(after) && isDigit(text, end + 1)) return false
  return after !== ' ' || !isDigit(text, end + 1) || !/^\d+ [\d ]+$/.test(text.slice(start, end))
}

function isFieldStart(text: string, start: number): boolean {
  return start > 0 && /[,;\t|"'>]/.test(text.charAt(start - 1))
}

function fieldEnd(text: string, start: number): number | undefined {
  const end = endOf(FIELD_SHAPES, text, start)
  return end === undefined || /[,;\t|"'<\r\n]/.test(text.charAt(end)) || end === text.length ? end : undefined
}
