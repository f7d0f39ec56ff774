import { ParleyError, type ErrorInfo, type Store } from '@parley/core'
import type { Run } from '@parley/engine'
import { isPassing } from './is-passing.ts'
import type { MessageInput } from './run-order.ts'

export interface SpokenTo {
  readonly runId: string
  readonly store: Store
  /** The run in this process; undefined when it has ended. */
  readonly open: () => Promise<Run | undefined>
}

/**
 * Queues what was said, once, however often it is told.
 * @returns Why it was refused, if it was. Throws what another attempt may get over.
 */
export async function sayToRun(
  { runId, store, open }: SpokenTo,
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
    // It may only have been suspended meanwhile.
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
    if (!ParleyError.is(error) || isPassing(error)) throw error
    return error.info
  }
}
