/** Collects the text of a line. Spans in it are rendered when they close. */
export interface LineText {
  readonly isEmpty: boolean
  /** Whether an open span continues on the next line. */
  readonly isBridged: boolean
  add(text: string): void
  /** Opens a span, which `closeSpan` renders. A bridging span continues over line ends, which become spaces. */
  openSpan(bridges: boolean): void
  closeSpan(render: (text: string) => string): void
  /** Returns the line, with each run of white space as one space, and starts a new line. */
  take(): string
}

/** Maximum number of open spans that are rendered, because each one copies the text inside it. */
const MAX_SPANS = 8
/** Maximum length of a rendered span. The page probably never closes a longer one. */
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
