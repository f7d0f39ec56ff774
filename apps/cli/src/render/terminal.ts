import { styleText } from 'node:util'

/** Output of a command. */
export interface Terminal {
  /** Writes results: answers, traces, JSON. */
  out(text: string): void
  /** Writes errors. */
  error(text: string): void
  /** Returns `text` in a style, if the output is a terminal with colors. */
  style(format: Style, text: string): string
  /** Width that the terminal has now. `undefined` if the output is a file or a pipe. */
  readonly columns: number | undefined
  /** Whether a user can answer questions: input and output are a terminal. */
  readonly isInteractive: boolean
  /** Whether a screen reader reads the terminal, or `hasCursor` is false: no status line and no Markdown. */
  readonly isPlain: boolean
  /** Whether the terminal obeys control codes, such as those of an edited line. */
  readonly hasCursor: boolean
}

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan'

/** The output of this process. It writes no control codes into a pipe. */
export function processTerminal(environment: NodeJS.ProcessEnv = process.env): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader such as `| head` may close the pipe early. That is not an error.
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  const hasCursor = process.stdout.isTTY && environment['TERM'] !== 'dumb'
  return {
    out: text => void process.stdout.write(text),
    error: text => void process.stderr.write(text),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns : undefined
    },
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    isPlain: !hasCursor || environment['PARLEY_PLAIN'] === '1',
    hasCursor,
  }
}
