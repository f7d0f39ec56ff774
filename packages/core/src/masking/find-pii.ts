import { readDigitGroups } from './digit-groups.ts'
import { findCards } from './find-cards.ts'
import { findEmails } from './find-emails.ts'
import { findIbans } from './find-ibans.ts'
import { findIps } from './find-ips.ts'
import { findPhones } from './find-phones.ts'
import { findSsns } from './find-ssns.ts'
import { foldText } from './folded-text.ts'
import { mergeSpans, PII_KINDS, type PiiKind, type PiiSpan } from './pii-span.ts'

export { PII_KINDS, type PiiKind, type PiiSpan }

/**
 * Finds personal data in a text, in order: e-mail addresses, phone numbers, card numbers, IBANs, US social security numbers and
 * IP addresses. Card numbers must pass the Luhn check, and IBANs must have valid check digits. Overlapping spans are joined.
 */
export function findPii(text: string, kinds: readonly PiiKind[] = PII_KINDS): readonly PiiSpan[] {
  return findPiiFrom(text, 0, kinds)
}

/** Finds the personal data that begins at `from` or later. The text before `from` is only context. */
export function findPiiFrom(text: string, from: number, kinds: readonly PiiKind[]): readonly PiiSpan[] {
  const folded = foldText(text)
  const first = folded.indexOf(from)
  const groups = readDigitGroups(folded.text, first)
  const spans = kinds.flatMap(kind => {
    switch (kind) {
      case 'iban':
        return [...findIbans(folded.text, first)]
      case 'card':
        return [...findCards(folded.text, groups)]
      case 'email':
        return [...findEmails(folded.text, first)]
      case 'ip':
        return [...findIps(folded.text, first)]
      case 'ssn':
        return [...findSsns(folded.text, groups)]
      case 'phone':
        return [...findPhones(folded.text, groups)]
    }
  })
  return mergeSpans(
    spans.map(({ kind, start, end }) => ({ kind, start: folded.startOf(start), end: folded.endOf(end) })),
  )
}
