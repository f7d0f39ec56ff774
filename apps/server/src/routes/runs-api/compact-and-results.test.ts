import { expect, it } from 'vitest'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel, type Script } from '@parley/testing'
import { openRunsApi, untilIdle } from '../../__fixtures__/open-runs-api.ts'

const locate = defineTool({ name: 'locate', description: 'Locates the user.', input: { type: 'object' } })

async function setUp(script: Script) {
  const store = await openSqliteStore({ path: ':memory:' })
  const model = scriptedModel(script)
  const runtime = createRuntime({ store, agents: [defineAgent({ name: 'guide', model, tools: [locate] })] })
  return { ...(await openRunsApi({ store, runtime })), model }
}

it('a session is summarized on request, and a viewer or an invalid number of turns changes nothing', async () => {
  await using api = await openRunsApi({ script: ['One.', 'Two.', 'They counted.', 'Three.'] })
  const { runId, sessionId } = await api.operator.start({ agent: 'guide', input: 'First?' })
  await untilIdle(api.operator, runId)
  const second = await api.operator.start({ agent: 'guide', input: 'Second?', sessionId })
  await untilIdle(api.operator, second.runId)
  const before = await api.store.runs({ scope: 'team' })
  await expect(api.clientOf('viewer').compact(second.runId)).rejects.toMatchObject({ info: { status: 403 } })
  await expect(api.operator.compact(second.runId, { keep: 0 })).rejects.toMatchObject({ info: { status: 400 } })
  expect(await api.store.runs({ scope: 'team' })).toEqual(before)

  const compacted = await api.operator.compact(second.runId, { keep: 1, focus: 'counting' })
  expect(compacted.sessionId).toBe(sessionId)
  await untilIdle(api.operator, compacted.runId)
  expect(await api.operator.run(compacted.runId)).toMatchObject({ relation: 'compaction', status: 'completed' })
  expect(JSON.stringify(api.model.requests.at(-1))).toContain('counting')
  const third = await api.operator.start({ agent: 'guide', input: 'Third?', sessionId })
  await untilIdle(api.operator, third.runId)
  const asked = JSON.stringify(api.model.requests.at(-1)?.messages)
  expect(asked).toContain('They counted.')
  expect(asked).not.toContain('First?')
})

it('a result of the client continues its run, and only the first one counts', async () => {
  await using api = await setUp([{ toolCalls: [{ name: 'locate', input: {} }] }, 'In Bern.'])
  const { runId } = await api.operator.start({ agent: 'guide', input: 'Where am I?' })
  await untilIdle(api.operator, runId)
  const [call] = (await api.operator.run(runId)).clientCalls
  const submission = { callId: call?.callId ?? '', output: { city: 'Bern' } }
  await expect(api.clientOf('viewer').submit(runId, submission)).rejects.toMatchObject({ info: { status: 403 } })
  expect(await api.operator.submit(runId, submission)).toMatchObject({ runId })
  await untilIdle(api.operator, runId)
  expect(await api.operator.run(runId)).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(api.model.requests.at(-1)?.messages)).toContain('Bern')
  await expect(api.operator.submit(runId, submission)).rejects.toMatchObject({ info: { status: 409 } })
})

it('a cancelled run has the reason of the request in its journal, and the request needs no body', async () => {
  await using api = await openRunsApi({ script: [{ toolCalls: [{ name: 'pay' }] }, { toolCalls: [{ name: 'pay' }] }] })
  const { runId } = await api.operator.start({ agent: 'guide', input: 'go' })
  await untilIdle(api.operator, runId)
  await api.operator.cancel(runId, { reason: 'wrong file' })
  expect((await api.operator.run(runId)).outcome).toMatchObject({ reason: { kind: 'user', detail: 'wrong file' } })
  const other = await api.operator.start({ agent: 'guide', input: 'go' })
  await untilIdle(api.operator, other.runId)
  expect((await api.send(`/runs/${other.runId}/cancel`, 'operator', { method: 'POST' })).status).toBe(200)
})
