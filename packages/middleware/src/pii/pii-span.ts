/** What is looked for, the surest first: where two overlap, the first of them names the span. */
export const PII_KINDS = ['iban', 'card', 'email', 'ip', 'ssn', 'phone'] as const
export type PiiKind = (typeof PII_KINDS)[number]

/** A piece of a text, `end` exclusive. */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}
