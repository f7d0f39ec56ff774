import { ParleyError, type Clock } from '@parley/core'
import type { Run, Runtime } from '@parley/engine'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resumes a run that a dead process may still hold: waits until the claim of that process expires.
 * @throws ParleyError `run-busy` if the process is alive, because it extends its claim; and what `runtime.resume` throws.
 */
export async function resumeWhenFree(
  runtime: Runtime,
  runId: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<Run> {
  for (let first: number | undefined; ;) {
    try {
      return await runtime.resume(runId, { signal })
    } catch (error) {
      if (!ParleyError.is(error, 'run-busy')) throw error
      const { aliveUntil } = error.info
      if (aliveUntil === undefined || (first !== undefined && aliveUntil > first)) throw error
      first = aliveUntil
      await sleep(Math.max(0, aliveUntil - clock.now()) + 50, undefined, { signal })
    }
  }
}
