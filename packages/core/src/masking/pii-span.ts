/** Kinds of personal data, the most certain first. If two spans overlap, the more certain kind names the joined span. */
export const PII_KINDS = ['iban', 'card', 'email', 'ip', 'ssn', 'phone'] as const
/** A kind of personal data. */
export type PiiKind = (typeof PII_KINDS)[number]

/** A part of a text with personal data. `end` is exclusive. */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}

/** Sorts spans and joins overlapping ones under the most certain kind. The result covers the same text. */
export function mergeSpans(found: readonly PiiSpan[]): readonly PiiSpan[] {
  const spans = found.toSorted((a, b) => a.start - b.start)
  const merged: PiiSpan[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) {
      merged.push(span)
      continue
    }
    const kind = PII_KINDS.indexOf(span.kind) < PII_KINDS.indexOf(last.kind) ? span.kind : last.kind
    merged[merged.length - 1] = { kind, start: last.start, end: Math.max(last.end, span.end) }
  }
  return merged
}
