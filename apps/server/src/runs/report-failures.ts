import { ParleyError, type ErrorInfo } from '@parley/core'
import type { Run } from '@parley/engine'
import type { ServerContext } from '../state/server-context.ts'

export interface ReportedRun {
  readonly run: Run
  /** Id of the request that started the run or continued it. */
  readonly requestId: string
  /** Number of the first entry that the request caused. @default 1 */
  readonly fromSeq?: number | undefined
}

/**
 * Reports the failed tool calls and input filters of a run, and its own failure, to `onError` when the run ends: clients get
 * only their public sentences. Never rejects.
 */
export async function reportFailures(
  { onError }: Pick<ServerContext, 'onError'>,
  { run, requestId, fromSeq = 1 }: ReportedRun,
): Promise<void> {
  const { runId } = run
  const report = (error: ErrorInfo): void => onError(new ParleyError(error), { requestId, runId })
  const result = await run.result
  // A run that has ended gives its entries from memory, without the deltas.
  for await (const event of run)
    if (event.type === 'tool.ended' || event.type === 'input.filtered')
      if (event.error !== undefined && event.seq >= fromSeq) report(event.error)
  if (result.status === 'failed' || result.status === 'interrupted') report(result.error)
}
