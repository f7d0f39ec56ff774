/** Separates a leading `<think>…</think>` from the answer that follows. */
export interface ThinkSplitter {
  feed(text: string): void
  /** Ends the text and hands over everything still held back. */
  end(): void
}

export interface ThinkSplitterOptions {
  readonly onText: (text: string) => void
  readonly onReasoning: (text: string) => void
  /** Whether the text begins inside a thought, even without an opening tag. @default false */
  readonly implied?: boolean | undefined
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Creates a splitter. Only a tag at the start of the text counts, after optional white space. Chunks may end inside a tag. */
export function createThinkSplitter({ onText, onReasoning, implied = false }: ThinkSplitterOptions): ThinkSplitter {
  let state: 'start' | 'thinking' | 'gap' | 'text' = 'start'
  let held = ''

  function atStart(): void {
    const seen = held.trimStart()
    if (seen.length < OPEN.length && OPEN.startsWith(seen)) return
    const isTagged = seen.startsWith(OPEN)
    state = isTagged || implied ? 'thinking' : 'text'
    const rest = isTagged ? seen.slice(OPEN.length) : held
    held = ''
    feed(rest)
  }

  function inThought(): void {
    const close = held.indexOf(CLOSE)
    const until = close === -1 ? held.length - tagStartAtEnd(held) : close
    if (until > 0) onReasoning(held.slice(0, until))
    held = held.slice(close === -1 ? until : close + CLOSE.length)
    if (close === -1) return
    state = 'gap'
    inGap()
  }

  // The blank lines between thought and answer belong to neither.
  function inGap(): void {
    const rest = held.trimStart()
    held = ''
    if (rest === '') return
    state = 'text'
    onText(rest)
  }

  function feed(text: string): void {
    if (text === '') return
    if (state === 'text') return onText(text)
    held += text
    if (state === 'start') atStart()
    else if (state === 'thinking') inThought()
    else inGap()
  }

  return {
    feed,
    end() {
      const rest = held
      held = ''
      if (rest === '') return
      if (state === 'thinking') onReasoning(rest)
      else onText(rest)
    },
  }
}

/** Returns how many characters at the end may be the beginning of the closing tag. */
function tagStartAtEnd(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--)
    if (text.endsWith(CLOSE.slice(0, length))) return length
  return 0
}
