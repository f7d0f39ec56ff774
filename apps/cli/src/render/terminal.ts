import { styleText } from 'node:util'

/** Where a command writes. */
export interface Terminal {
  /** What was asked for: answers, traces, JSON. */
  out(text: string): void
  /** What went wrong. */
  error(text: string): void
  /** `text` in a colour, where somebody can see colours. */
  style(format: Style, text: string): string
  /** Columns, when a person is looking. */
  readonly columns: number | undefined
}

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan'

/** The process's own output. Never sends a control code into a pipe. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that has left (`| head`) is no failure of ours.
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  return {
    out: text => void process.stdout.write(text),
    error: text => void process.stderr.write(text),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  }
}
