/** How many characters of a line are searched. */
export const MAX_LINE_CHARACTERS = 10_000
/** How many characters of a line are shown. */
const SHOWN_CHARACTERS = 400

export interface LineSearchOptions {
  /** The regular expression to search for, without the flags g and y. */
  readonly expression: RegExp
  /** Display path of the file. */
  readonly shown: string
  /** Number of lines to show before and after each match. */
  readonly contextLines: number
  readonly emit: (line: string) => void
}

export interface LineSearch {
  /** Takes the next line and returns whether it matches. `mayMatch: false` only shows the line as context. */
  push(line: string, mayMatch: boolean): boolean
}

/**
 * Finds lines and emits them as `path:number:text`, with lines of context as `path-number-text`. Emits `--` between groups
 * that do not touch. Emits no line twice.
 */
export function createLineSearch({ expression, shown, contextLines, emit }: LineSearchOptions): LineSearch {
  let number = 0
  let lastShown = 0
  let following = 0
  let before: string[] = []

  function show(at: number, line: string): void {
    emit(line)
    lastShown = at
  }

  return {
    push(line, mayMatch) {
      number++
      const match = mayMatch ? expression.exec(line.slice(0, MAX_LINE_CHARACTERS)) : null
      if (match === null) {
        if (following > 0) {
          following--
          show(number, `${shown}-${number}-${excerpt(line, 0)}`)
        } else if (contextLines > 0) {
          before.push(line)
          if (before.length > contextLines) before.shift()
        }
        return false
      }
      const first = number - before.length
      if (contextLines > 0 && lastShown > 0 && first > lastShown + 1) emit('--')
      for (const [index, text] of before.entries()) show(first + index, `${shown}-${first + index}-${excerpt(text, 0)}`)
      before = []
      show(number, `${shown}:${number}:${excerpt(line, match.index)}`)
      following = contextLines
      return true
    },
  }
}

/** Returns the part of a long line around `index`. */
function excerpt(line: string, index: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line
  const start = Math.max(0, Math.min(index - 100, line.length - SHOWN_CHARACTERS))
  const end = start + SHOWN_CHARACTERS
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
