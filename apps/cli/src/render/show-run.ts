import { describeError } from '@parley/core'
import type { Run, RunResult } from '@parley/engine'
import { exitCodeOf } from './exit-code.ts'
import { createRunRenderer, type RenderOptions, type RunRenderer } from './render-run.ts'
import type { Terminal } from './terminal.ts'

/**
 * Prints a run until it ends and returns the exit code. The first Ctrl-C cancels the run, the second one exits at once.
 */
export async function showRun(run: Run, terminal: Terminal, options: RenderOptions): Promise<number> {
  const result = await watchRun(run, createRunRenderer(terminal, options))
  reportFailure(result, terminal)
  return exitCodeOf(result)
}

async function watchRun(run: Run, renderer: RunRenderer): Promise<RunResult> {
  const startedAt = Date.now()
  let interrupts = 0
  const onInterrupt = (): void => {
    // Exiting is safe: the journal has every finished step, so the run can be resumed.
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

function reportFailure(result: RunResult, terminal: Terminal): void {
  if (result.status !== 'failed' && result.status !== 'interrupted') return
  terminal.error(`parley: ${describeError(result.error).replaceAll(/\s*\n\s*/g, ' ')}\n`)
}
