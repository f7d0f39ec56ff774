import { createInterface, type Key } from 'node:readline'
import type { Terminal } from '../render/terminal.ts'

/** Newest messages first, as the arrow keys show them. */
const history: string[] = []

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

/**
 * Reads a message at the terminal of this process. A line that ends with `\` continues on the next line, and pasted text keeps
 * its lines. The arrow keys show earlier messages.
 * @returns `undefined` after Ctrl-C or Ctrl-D.
 */
export async function readMessage(
  prompt: string,
  { hasCursor }: Pick<Terminal, 'hasCursor'>,
): Promise<string | undefined> {
  const { stdin, stdout } = process
  const past = { history: [...history], historySize: 200 }
  const reader = createInterface({ input: stdin, output: stdout, prompt, terminal: hasCursor, ...past })
  const lines: string[] = []
  let isPasting = false
  const onKey = (_: string | undefined, { name }: Key): void => {
    if (name === 'paste-start') isPasting = true
    if (name === 'paste-end') isPasting = false
  }
  const onInterrupt = (): void => reader.close()
  stdin.on('keypress', onKey)
  // A terminal that edits its lines itself sends a signal.
  process.on('SIGINT', onInterrupt)
  if (hasCursor) stdout.write(PASTE_ON)
  try {
    const read = await new Promise<string | undefined>(resolve => {
      reader.on('line', line => {
        const isContinued = isPasting || line.endsWith('\\')
        lines.push(isContinued && !isPasting ? line.slice(0, -1) : line)
        if (!isContinued) return resolve(lines.join('\n'))
        reader.setPrompt('… ')
        if (!isPasting) reader.prompt()
      })
      reader.once('SIGINT', onInterrupt)
      reader.once('close', () => resolve(undefined))
      reader.prompt()
    })
    if (read === undefined) stdout.write('\n')
    return read
  } finally {
    const message = lines.join('\n').trim()
    if (message !== '' && !message.includes('\n')) history.unshift(message)
    stdin.off('keypress', onKey)
    process.off('SIGINT', onInterrupt)
    if (hasCursor) stdout.write(PASTE_OFF)
    reader.close()
  }
}
