import type { Run, RunResult } from '@parley/engine'
import type { RunRenderer } from './render-run.ts'

/**
 * Shows a run until it has ended. Ctrl-C cancels it, a second one leaves at once: what is journaled can be resumed.
 */
export async function watchRun(run: Run, renderer: RunRenderer): Promise<RunResult> {
  const startedAt = Date.now()
  let interrupts = 0
  const onInterrupt = (): void => {
    if (++interrupts > 1) process.exit(130)
    void run.cancel({ kind: 'user', detail: 'interrupted' })
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    for await (const event of run) renderer.event(event)
    const result = await run.result
    renderer.end(result, Date.now() - startedAt)
    return result
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}
