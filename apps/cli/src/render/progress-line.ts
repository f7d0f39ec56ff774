import type { Terminal } from './terminal.ts'

/** One line that says how far a long command is. */
export interface ProgressLine {
  show(text: string): void
  clear(): void
}

/** Creates a progress line on the error output. A pipe and a screen reader get nothing. */
export function createProgressLine(terminal: Terminal): ProgressLine {
  const isShown = terminal.hasCursor && !terminal.isPlain
  const write = (text: string): void => (isShown ? terminal.error(`\r\u001B[2K${text}`) : undefined)
  return { show: text => write(text.slice(0, (terminal.columns ?? 80) - 1)), clear: () => write('') }
}
