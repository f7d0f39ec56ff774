/** What is looked for, the surest first: where two overlap, the first of them names the span. */
export const PII_KINDS = ['iban', 'card', 'email', 'ip', 'ssn', 'phone'] as const
export type PiiKind = (typeof PII_KINDS)[number]

/** A piece of a text, `end` exclusive. */
export interface PiiSpan {
  readonly kind: PiiKind
  readonly start: number
  readonly end: number
}

/** Spans in order, those that overlap as one under the name of the surest: what any of them covers stays covered. */
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
