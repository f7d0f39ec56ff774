import { createId, untilAborted, userMessage, type UserMessage } from '@parley/core'
import { isStopping } from '../../journal/run-state.ts'
import { failRun } from '../../run-context/fail-run.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { filterInput } from './filter-input.ts'
import { queueOrDrop } from './queue-input.ts'

/**
 * Asks each `steer` stage for messages, queues them as steering and makes them durable: only then does the run act on them. A
 * stage that throws fails the run.
 */
export async function pullSteering(run: RunContext): Promise<void> {
  const { journal, stopper } = run
  try {
    for (const steer of run.middleware.steers ?? []) {
      // A run that is being stopped reads no further message, so its source keeps them.
      if (isStopping(run.state) || stopper.stopped) return
      const asked = (async () => steer(stopper.signal))()
      for (const message of await untilAborted(asked, stopper.signal)) await queue(run, message)
    }
  } catch (cause) {
    if (stopper.stopped) return
    failRun(journal, cause, 'hook')
  }
  await journal.commit()
}

async function queue(run: RunContext, given: string | UserMessage): Promise<void> {
  const input = typeof given === 'string' ? userMessage(given) : given
  const { entries, message } = await filterInput(run, 'steering', input)
  for (const entry of entries) run.journal.record(entry)
  if (message !== undefined) queueOrDrop(run, { queueId: createId(run.clock.now()), kind: 'steering', message })
}
