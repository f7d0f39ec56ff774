import { openSqliteStore } from '@parley/sqlite'
import { expect, it } from 'vitest'
import { openRunsApi, untilIdle } from '../../__fixtures__/open-runs-api.ts'

/** A store with a run whose process died while the `once` tool `slow` ran. */
async function storeAfterCrash() {
  await using api = await openRunsApi({
    script: [{ toolCalls: [{ name: 'slow', callId: 's', input: { a: 1 } }] }, 'Done.'],
  })
  const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
  await untilIdle(api.operator, runId)
  const entries = await api.store.read(runId)
  const end = entries.findIndex(entry => entry.type === 'tool.started') + 1
  const store = await openSqliteStore({ path: ':memory:' })
  await store.append({ runId, expectedSeq: 0, worker: 'dead', fence: 1, entries: entries.slice(0, end) })
  return { store, runId }
}

it('a call whose outcome a crash has hidden is listed, and keeps what an admin records about it', async () => {
  const { store, runId } = await storeAfterCrash()
  await using api = await openRunsApi({ store, script: ['I do not know.'] })
  const admin = api.clientOf('admin')
  expect(await admin.unknownCalls()).toEqual({ calls: [] })
  await admin.resume(runId)
  for await (const event of admin.events(runId)) if (event.type === 'run.ended') break
  const call = { runId, callId: 's', name: 'slow', input: { a: 1 } }
  const { calls, next } = await admin.unknownCalls({ limit: 1 })
  expect(calls).toMatchObject([call])
  expect(calls[0]).not.toHaveProperty('recorded')
  expect(await admin.unknownCalls({ after: next })).toEqual({ calls: [] })
  const outcome = await admin.recordOutcome(call, { tookEffect: true, note: 'Seen in the ledger.' })
  expect(outcome).toMatchObject({ tookEffect: true, by: 'admin' })
  expect((await api.clientOf('viewer').unknownCalls()).calls).toMatchObject([{ ...call, recorded: outcome }])
  expect(await store.notes?.list({ scope: 'team' })).toEqual([])
})

it('an outcome is recorded only for a call whose outcome is hidden', async () => {
  await using api = await openRunsApi({ script: [{ toolCalls: [{ name: 'weather', callId: 'w' }] }, 'Done.'] })
  const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
  await untilIdle(api.operator, runId)
  const record = (call: { runId: string; callId: string }) =>
    api.clientOf('admin').recordOutcome(call, { tookEffect: true, note: '' })
  await expect(record({ runId, callId: 'w' })).rejects.toMatchObject({
    info: { status: 404, detail: 'Unknown call with a hidden outcome.' },
  })
  await expect(record({ runId: 'x', callId: 'w' })).rejects.toMatchObject({
    info: { status: 404, detail: 'Unknown run.' },
  })
})
