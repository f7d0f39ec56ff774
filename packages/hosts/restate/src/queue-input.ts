import { ParleyError, type ErrorInfo, type Store } from '@parley/core'
import type { Run } from '@parley/engine'
import type { MessageInput } from './run-order.ts'
import { isTransient } from './terminal-error.ts'

export interface InputTarget {
  readonly runId: string
  readonly store: Store
  /** Opens the run in this process. `undefined` if it has ended. */
  readonly open: () => Promise<Run | undefined>
}

/**
 * Queues an input of a run. Queueing the same id again does nothing.
 * @returns The error if the run rejects the input.
 * @throws A transient failure, so that Restate makes another attempt.
 */
export async function queueInput(
  { runId, store, open }: InputTarget,
  input: MessageInput,
  id: string,
): Promise<{ readonly error?: ErrorInfo }> {
  for (;;) {
    const run = await open()
    if (run === undefined) return { error: { code: 'run-ended', runId } }
    const entries = await store.read(runId)
    if (entries.some(entry => entry.type === 'input.queued' && entry.queueId === id)) return {}
    const error = await queue(run, input, id)
    if (error?.code !== 'run-ended') return error === undefined ? {} : { error }
    // The run may have been suspended, not ended: then try again with a resumed run.
    await run.result
    const status = (await store.run(runId))?.status
    if (status !== 'running' && status !== 'suspended') return { error }
  }
}

async function queue(run: Run, { kind, message }: MessageInput, id: string): Promise<ErrorInfo | undefined> {
  try {
    await (kind === 'steering' ? run.steer(message, { id }) : run.followUp(message, { id }))
    return undefined
  } catch (error) {
    if (!ParleyError.is(error) || isTransient(error)) throw error
    return error.info
  }
}
