/** The text of a line while it comes together, with spans in it that are rendered when they end. */
export interface LineText {
  readonly isEmpty: boolean
  /** Whether a span is open that ends of lines do not end. */
  readonly isBridged: boolean
  add(text: string): void
  /** From here on, to `closeSpan`, text belongs together. A span that bridges holds ends of lines too, as spaces. */
  openSpan(bridges: boolean): void
  closeSpan(render: (text: string) => string): void
  /** The line, with each run of white space as one space; what comes next starts a new one. */
  take(): string
}

/** More open spans are not rendered: each would copy the text of those in it. */
const MAX_SPANS = 8
/** A span that is longer was never closed. */
const MAX_SPAN_CHARACTERS = 2_000

export function createLineText(): LineText {
  let pieces: string[] = []
  let spans: { readonly start: number; readonly bridges: boolean; length: number }[] = []
  let ignoredSpans = 0

  function dropSpans(): void {
    spans = []
    ignoredSpans = 0
  }

  return {
    get isEmpty() {
      return pieces.length === 0
    },
    get isBridged() {
      return spans.some(({ bridges }) => bridges)
    },
    add(text) {
      pieces.push(text)
      const [span] = spans
      if (span === undefined) return
      span.length += text.length
      if (span.length > MAX_SPAN_CHARACTERS) dropSpans()
    },
    openSpan(bridges) {
      if (spans.length === MAX_SPANS) ignoredSpans++
      else spans.push({ start: pieces.length, bridges, length: 0 })
    },
    closeSpan(render) {
      if (ignoredSpans > 0) {
        ignoredSpans--
        return
      }
      const span = spans.pop()
      if (span === undefined) return
      const inner = pieces.splice(span.start).join('')
      const text = inner.replaceAll(/\s+/g, ' ').trim()
      if (text === '') pieces.push(inner)
      else pieces.push(/^\s/.test(inner) ? ' ' : '', render(text), /\s$/.test(inner) ? ' ' : '')
    },
    take() {
      const line = pieces.join('').replaceAll(/\s+/g, ' ').trim()
      pieces = []
      dropSpans()
      return line
    },
  }
}
