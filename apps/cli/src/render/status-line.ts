import type { Terminal } from './terminal.ts'

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 120
const CLEAR = '\r\u001b[K'

/** A line below the output that shows how long the user has been waiting. Other output replaces it. */
export interface StatusLine {
  /** Shows the line, also after other output. */
  show(describe: () => string): void
  /** Removes the line before other output. */
  hide(): void
}

export function createStatusLine(terminal: Terminal): StatusLine {
  let timer: NodeJS.Timeout | undefined
  let frame = 0
  const hide = (): void => {
    if (timer === undefined) return
    clearInterval(timer)
    timer = undefined
    terminal.out(CLEAR)
  }
  return {
    hide,
    show(describe) {
      if (timer !== undefined) return
      const draw = (): void => {
        const text = `${FRAMES[frame++ % FRAMES.length]} ${describe()}`.slice(0, (terminal.columns ?? 80) - 1)
        terminal.out(`${CLEAR}${terminal.style('dim', text)}`)
      }
      draw()
      timer = setInterval(draw, FRAME_MS)
      // A command that fails must not stay alive for the line.
      timer.unref()
    },
  }
}
