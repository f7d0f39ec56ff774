import type { DurableHost } from '@parley/engine/host'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { describeHostContract, createHostWorkers } from '@parley/testing/contract'
import { StepPacer } from './step-pacer.ts'

/** Takes the steps in the order in which the workflow of a run takes them. Child runs stay inside their calls. */
async function pace(pacer: StepPacer): Promise<void> {
  for (;;) {
    const batches = await pacer.openCalls()
    for (const batch of batches ?? []) await Promise.all(batch.map(({ callId }) => pacer.call(callId, {})))
    if (batches === undefined && (await pacer.take()) !== undefined) return
  }
}

const engine = { createRuntime, defineAgent }

describeHostContract('StepPacer', {
  createStore: createMemoryStore,
  ...createHostWorkers({
    ...engine,
    createHost(): DurableHost {
      const pacer = new StepPacer()
      // A failure rejects `drive`, which interrupts the run.
      pace(pacer).catch(() => {})
      return { drive: steps => pacer.drive(steps) }
    },
  }),
})
