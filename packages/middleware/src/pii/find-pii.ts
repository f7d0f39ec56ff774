import { findCards } from './find-cards.ts'
import { findEmails } from './find-emails.ts'
import { findIbans } from './find-ibans.ts'
import { findIps } from './find-ips.ts'
import { findPhones } from './find-phones.ts'
import { findSsns } from './find-ssns.ts'
import { mergeSpans, PII_KINDS, type PiiKind, type PiiSpan } from './pii-span.ts'

export { PII_KINDS, type PiiKind, type PiiSpan }

const FINDERS: Readonly<Record<PiiKind, (text: string) => Iterable<PiiSpan>>> = {
  iban: findIbans,
  card: findCards,
  email: findEmails,
  ip: findIps,
  ssn: findSsns,
  phone: findPhones,
}

/**
 * Finds personal data in a text, in order: e-mail addresses, phone numbers, card numbers, IBANs, US social security numbers and
 * IP addresses. Card numbers must pass the Luhn check, and IBANs must have valid check digits. Overlapping spans are joined.
 */
export function findPii(text: string, kinds: readonly PiiKind[] = PII_KINDS): readonly PiiSpan[] {
  return mergeSpans(kinds.flatMap(kind => [...FINDERS[kind](text)]))
}
