import type { Run } from '@parley/engine'
import { exitCodeOf } from './exit-code.ts'
import { createRunRenderer, type RenderOptions } from './render-run.ts'
import { reportFailure } from './report-failure.ts'
import type { Terminal } from './terminal.ts'
import { watchRun } from './watch-run.ts'

/** Shows a run until it has ended, and says what the shell is told. */
export async function showRun(run: Run, terminal: Terminal, options: RenderOptions): Promise<number> {
  const result = await watchRun(run, createRunRenderer(terminal, options))
  reportFailure(result, terminal)
  return exitCodeOf(result)
}
