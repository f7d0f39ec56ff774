import type { PiiSpan } from './pii-span.ts'

/** A US social security number in groups, or without separators after words that mark it as one. */
const SSN =
  /(?<![\p{L}\p{N}]|[\d.,:/-])(?:(\d{3})([- ])(\d{2})\2(\d{4})|(\d{3})(\d{2})(\d{4}))(?![\p{L}\p{N}]|[.,:/-]\d)/gu
const NAMED =
  /\b(?:ssn|social\s+security(?:\s+(?:number|no\.?|#))?|tax(?:payer)?\s+id)\W{0,4}(?:is\W{1,3}|number\W{1,3})?$/i

/** Finds US social security numbers. */
export function* findSsns(text: string): Generator<PiiSpan> {
  for (const { 0: match, index, 1: a, 2: separator, 3: b, 4: c, 5: d, 6: e, 7: f } of text.matchAll(SSN)) {
    if (!isIssued(a ?? d ?? '', b ?? e ?? '', c ?? f ?? '')) continue
    // Only hyphens make the number unambiguous without a preceding word.
    if (separator !== '-' && !NAMED.test(text.slice(Math.max(0, index - 40), index))) continue
    yield { kind: 'ssn', start: index, end: index + match.length }
  }
}

function isIssued(area: string, group: string, serial: string): boolean {
  return area !== '000' && area !== '666' && !area.startsWith('9') && group !== '00' && serial !== '0000'
}
