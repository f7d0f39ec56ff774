import { styleText } from 'node:util'

/** Output of a command. */
export interface Terminal {
  /** Writes results: answers, traces, JSON. */
  out(text: string): void
  /** Writes errors. */
  error(text: string): void
  /** Returns `text` in a style, if the output is a terminal with colours. */
  style(format: Style, text: string): string
  /** Width of the terminal. `undefined` if the output is a file or a pipe. */
  readonly columns: number | undefined
}

export type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan'

/** The output of this process. It writes no control codes into a pipe. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    // A reader such as `| head` may close the pipe early. That is not an error.
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  return {
    out: text => void process.stdout.write(text),
    error: text => void process.stderr.write(text),
    style: (format, text) => styleText(format, text, { stream: process.stdout }),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  }
}
