import { createInterface } from 'node:readline/promises'

/** Asks the user for one line of text. */
export interface Prompter {
  /** @returns `undefined` if the user presses Ctrl-C or Ctrl-D. */
  ask(question: string, initial?: string): Promise<string | undefined>
}

/** Asks on the terminal of this process. Ctrl-C ends the question and not the process. */
export function terminalPrompter(): Prompter {
  return {
    async ask(question, initial = '') {
      const reader = createInterface({ input: process.stdin, output: process.stdout })
      const left = new Promise<undefined>(resolve => {
        reader.once('close', () => resolve(undefined))
        reader.once('SIGINT', () => reader.close())
      })
      const answer = reader.question(question)
      if (initial !== '') reader.write(initial)
      try {
        const text = await Promise.race([answer, left])
        if (text === undefined) process.stdout.write('\n')
        return text
      } finally {
        reader.close()
      }
    },
  }
}
