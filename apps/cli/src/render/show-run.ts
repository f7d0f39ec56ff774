import type { RunEvent } from '@parley/core'
import type { Run, RunResult } from '@parley/engine'
import { explainInfo, type Caller } from './explain-failure.ts'
import type { RunRenderer } from './render-run.ts'
import type { Terminal } from './terminal.ts'

/** A run to show: of a runtime in this process, or of a server. */
export type ShownRun = AsyncIterable<RunEvent> & Pick<Run, 'result' | 'cancel'>

export interface ShowOptions extends Caller {
  readonly terminal: Terminal
}

/**
 * Prints a run until it ends or is suspended. The first Ctrl-C cancels the run, the second one exits at once.
 */
export async function showRenderedRun(
  run: ShownRun,
  renderer: RunRenderer,
  { terminal, ...caller }: ShowOptions,
): Promise<RunResult> {
  const startedAt = performance.now()
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
    renderer.end(result, Math.round(performance.now() - startedAt))
    reportFailure(result, terminal, caller)
    return result
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

function reportFailure(result: RunResult, terminal: Terminal, caller: Caller): void {
  if (result.status !== 'failed' && result.status !== 'interrupted') return
  terminal.error(`parley: ${explainInfo(result.error, caller)}\n`)
}
