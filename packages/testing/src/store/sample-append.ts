import type { ErrorInfo, JournalAppend } from '@parley/core'
import { expect } from 'vitest'

/** Builds an append with the fence of the worker that started the run. */
export function by(
  worker: string,
  { runId = 'r', expectedSeq = 0, fence = 1, entries }: Partial<JournalAppend> & Pick<JournalAppend, 'entries'>,
): JournalAppend {
  return { runId, expectedSeq, worker, fence, entries }
}

/** Checks that a call is rejected with this error. */
export async function refused(call: Promise<unknown>, info: ErrorInfo): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'ParleyError', info })
}
