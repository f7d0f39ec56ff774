import type { Json, Store } from '@parley/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { callStore } from './call-store.ts'
import { drawnCommand, toStoreCommand, type DrawnCommand } from './drawn-command.ts'
import { saidEntry, startedEntry, toolEntry } from './sample-entry.ts'
import { EMPTY_MODEL, stepModel } from './store-model.ts'

/** Tests a store with random values, and with random calls against the reference model. */
export function describeStoreLaws(open: () => Promise<Store>): void {
  it('the store returns any text and any JSON unchanged', async () => {
    await using store = await open()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.json(), async (text, json) => {
        const runId = `run-${run++}`
        const entries = [startedEntry(), saidEntry(text), toolEntry(JSON.parse(json) as Json, { seq: 3 })]
        await store.append({ runId, expectedSeq: 0, worker: 'w', fence: 1, entries })
        expect(await store.read(runId)).toEqual(entries)
      }),
    )
  })

  it('any sequence of calls has the same results as the reference model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnCommand, { maxLength: 40 }), async drawn => {
        await using store = await open()
        let model = EMPTY_MODEL
        for (const each of drawn) {
          if (!supports(store, each)) continue
          const command = toStoreCommand(model, each)
          const step = stepModel(model, command)
          expect(await callStore(store, command)).toEqual(step.answer)
          model = step.model
        }
      }),
      { numRuns: 60 },
    )
  })
}

/** Whether the store has the optional part that a command is for. */
function supports(store: Store, { type }: DrawnCommand): boolean {
  if (type === 'put' || type === 'read-inbox') return store.inbox !== undefined
  return type !== 'prune' || store.prune !== undefined
}
