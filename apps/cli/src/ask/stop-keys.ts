import { emitKeypressEvents, type Key } from 'node:readline'
import type { Run, RunResult } from '@parley/engine'

/** Lets Esc stop a run while `show` prints it. Ctrl-C keeps its effect: the second one exits at once. */
export async function withStopKeys(run: Run, show: (run: Run) => Promise<RunResult>): Promise<RunResult> {
  const { stdin } = process
  const onKey = (_: string | undefined, { name, ctrl }: Key): void => {
    if (name === 'escape') void run.cancel({ kind: 'user', detail: 'stopped with Esc' })
    // A terminal in raw mode sends no signal.
    if (name === 'c' && ctrl === true) process.emit('SIGINT')
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', onKey)
  stdin.resume()
  try {
    return await show(run)
  } finally {
    stdin.off('keypress', onKey)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
