import { createInterface } from 'node:readline/promises'
import type { Terminal } from '../render/terminal.ts'

/** Asks the user for one line of text. */
export interface Prompter {
  /**
   * Asks a question.
   * @param initial Answer that the user may edit.
   * @returns `undefined` if the user presses Ctrl-C or Ctrl-D.
   */
  ask(question: string, initial?: string): Promise<string | undefined>
}

/** Asks on the terminal of this process. Ctrl-C ends the question and not the process. */
export function terminalPrompter({ hasCursor }: Pick<Terminal, 'hasCursor'>): Prompter {
  return {
    async ask(question, initial = '') {
      const reader = createInterface({ input: process.stdin, output: process.stdout, terminal: hasCursor })
      const onInterrupt = (): void => reader.close()
      const left = new Promise<undefined>(resolve => {
        reader.once('close', () => resolve(undefined))
        reader.once('SIGINT', onInterrupt)
      })
      // A terminal that edits its lines itself sends a signal.
      process.on('SIGINT', onInterrupt)
      const isKept = !hasCursor && initial !== ''
      const answer = reader.question(isKept ? `  Enter keeps ${initial}\n${question}` : question)
      if (hasCursor && initial !== '') reader.write(initial)
      try {
        const text = await Promise.race([answer, left])
        if (text === undefined) process.stdout.write('\n')
        return isKept && text === '' ? initial : text
      } finally {
        process.off('SIGINT', onInterrupt)
        reader.close()
      }
    },
  }
}
