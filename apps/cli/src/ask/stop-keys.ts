import { emitKeypressEvents, type Key } from 'node:readline'

/** Calls `stop` if the user presses Esc while `show` prints a run. Ctrl-C keeps its effect: the second one exits at once. */
export async function withStopKeys<TResult>(stop: () => void, show: () => Promise<TResult>): Promise<TResult> {
  const { stdin } = process
  const onKey = (_: string | undefined, { name, ctrl }: Key): void => {
    if (name === 'escape') stop()
    // A terminal in raw mode sends no signal.
    if (name === 'c' && ctrl === true) process.emit('SIGINT')
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKey)
  stdin.resume()
  try {
    return await show()
  } finally {
    stdin.off('keypress', onKey)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
