import { createInterface, type Key } from 'node:readline'

/** Newest messages first, as the arrow keys show them. */
const history: string[] = []

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

/**
 * Reads a message at the terminal of this process. A line that ends with `\` continues on the next line, and pasted text keeps
 * its lines. The arrow keys show earlier messages.
 * @returns `undefined` after Ctrl-C or Ctrl-D.
 */
export async function readMessage(prompt: string): Promise<string | undefined> {
  const { stdin, stdout } = process
  const reader = createInterface({ input: stdin, output: stdout, prompt, history: [...history], historySize: 200 })
  const lines: string[] = []
  let isPasting = false
  const onKey = (_: string | undefined, { name }: Key): void => {
    if (name === 'paste-start') isPasting = true
    if (name === 'paste-end') isPasting = false
  }
  stdin.on('keypress', onKey)
  stdout.write(PASTE_ON)
  try {
    const read = await new Promise<string | undefined>(resolve => {
      reader.on('line', line => {
        const isContinued = isPasting || line.endsWith('\\')
        lines.push(isContinued && !isPasting ? line.slice(0, -1) : line)
        if (!isContinued) return resolve(lines.join('\n'))
        reader.setPrompt('… ')
        if (!isPasting) reader.prompt()
      })
      reader.once('SIGINT', () => resolve(undefined))
      reader.once('close', () => resolve(undefined))
      reader.prompt()
    })
    if (read === undefined) stdout.write('\n')
    return read
  } finally {
    const message = lines.join('\n').trim()
    if (message !== '' && !message.includes('\n')) history.unshift(message)
    stdin.off('keypress', onKey)
    stdout.write(PASTE_OFF)
    reader.close()
  }
}
