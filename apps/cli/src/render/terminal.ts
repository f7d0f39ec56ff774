import { styleText } from 'node:util'

/** Output of a command. */
export interface Terminal {
  /** Writes results: answers, traces, JSON. */
  out(text: string): void
  /** Writes errors. */
  error(text: string): void
  /** Returns `text` in a style, if the output is a terminal with colors. */
  style(format: Style, text: string): string
  /** Width of the terminal. `undefined` if the output is a file or a pipe. */
  readonly columns: number | undefined
  /** Whether a user can answer questions: input and output are a terminal. */
  readonly isInteractive: boolean
  /** Whether the terminal cannot move its cursor, or a screen reader reads it: no status line and no Markdown. */
  readonly isPlain: boolean
}

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan'

/** The output of this process. It writes no control codes into a pipe. */
export function processTerminal(environment: NodeJS.ProcessEnv = process.env): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader such as `| head` may close the pipe early. That is not an error.
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  return {
    out: text => void process.stdout.write(text),
    error: text => void process.stderr.write(text),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    isPlain: !process.stdout.isTTY || environment['TERM'] === 'dumb' || environment['PARLEY_PLAIN'] === '1',
  }
}
