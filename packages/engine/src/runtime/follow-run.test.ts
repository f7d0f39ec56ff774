import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { followRun } from './follow-run.ts'

it('a run that another process drives has the usage and turns of the entries that were read', async () => {
  const store = createMemoryStore()
  const agent = defineAgent({ name: 'a', model: scriptedModel(['Done.']) })
  const { runId, usage } = await createRuntime({ store }).run(agent, 'go').result
  const record = await store.run(runId)
  if (record === undefined) throw new Error('the run has no record')
  const followed = followRun({
    store,
    record: { ...record, seq: 2 },
    clock: fakeClock(),
    replay: () => (async function* () {})(),
    send: async () => {},
    cancel: () => Promise.reject(new Error('is not cancelled here')),
  })
  expect([followed.turns, followed.usage.input]).toEqual([0, 0])
  await followed.result
  expect([followed.turns, followed.usage]).toEqual([1, usage])
})
