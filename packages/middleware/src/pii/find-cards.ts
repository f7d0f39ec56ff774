import type { PiiSpan } from './pii-span.ts'

/** 13 to 19 digits without separators, or in the groups that are printed on cards. */
const CARD =
  /(?<![\p{L}\p{N}]|\d[.,:/-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5}|\d{4}([ -])\d{4}\3\d{4}\3\d{1,3}|\d{13,19})(?![\p{L}\p{N}]|[.,:/-]\d)/gu

/** The first digits of card networks' numbers. */
const NETWORKS = /^(?:4|5[0-8]|6|3[04-9]|2(?:2[2-9]|[3-6]|7[01]|720))/

/** Finds card numbers of known networks with a valid Luhn check digit. */
export function* findCards(text: string): Generator<PiiSpan> {
  for (const { 0: match, index } of text.matchAll(CARD)) {
    const digits = match.replaceAll(/\D/g, '')
    if (!NETWORKS.test(digits) || /^(\d)\1+$/.test(digits) || !hasLuhnDigit(digits)) continue
    yield { kind: 'card', start: index, end: index + match.length }
  }
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
