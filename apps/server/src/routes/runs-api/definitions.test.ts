import { createRuntime } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { defineWorkflow, saveWorkflow } from '@parley/workflow'
import { expect, it } from 'vitest'
import { openRunsApi, untilIdle } from '../../__fixtures__/open-runs-api.ts'

it('workflows are listed as graphs: those of the server, and those saved in the scope', async () => {
  const store = await openSqliteStore({ path: ':memory:' })
  const runtime = createRuntime({
    store,
    agents: [defineWorkflow({ name: 'coded', steps: [{ type: 'approval', prompt: 'Sure?' }] })],
  })
  const workflow = { name: 'saved', inputs: { city: {} }, steps: [{ type: 'tool', tool: 't', name: 'one' }] } as const
  for (const scope of ['team', 'other']) await saveWorkflow(store, { ...workflow, description: scope }, { scope })
  await using api = await openRunsApi({ store, runtime })
  const { workflows } = await api.operator.workflows()
  expect(workflows).toMatchObject([
    {
      name: 'saved',
      version: 1,
      description: 'team',
      inputSchema: { required: ['city'] },
      nodes: [{ id: 'one' }],
      edges: [],
    },
    { name: 'coded', nodes: [{ id: '0', type: 'approval', label: 'approval' }] },
  ])
  expect((await api.operator.agents()).agents).toMatchObject([{ name: 'coded', isWorkflow: true }])
})

it('an ended run is returned as a test file, and an unfinished one is refused', async () => {
  await using api = await openRunsApi({ script: ['First.', 'Second.', { toolCalls: [{ name: 'pay' }] }] })
  const first = await api.operator.start({ agent: 'guide', input: 'one' })
  await untilIdle(api.operator, first.runId)
  const { runId } = await api.operator.start({ agent: 'guide', input: 'two', sessionId: first.sessionId })
  await untilIdle(api.operator, runId)
  const { name, text } = await api.clientOf('viewer').asTest(runId)
  expect(name).toBe('guide.test.ts')
  expect(text).toMatch(/const history = [^]*"one"[^]*"First."[^]*const input = [^]*"two"[^]*toBe\("Second."\)/)
  const waiting = await api.operator.start({ agent: 'guide', input: 'three' })
  await untilIdle(api.operator, waiting.runId)
  await expect(api.operator.asTest(waiting.runId)).rejects.toMatchObject({ info: { status: 409 } })
})

it('a server without agents shows runs if it has an access', async () => {
  const store = await openSqliteStore({ path: ':memory:' })
  await using api = await openRunsApi({ store, runtime: createRuntime({ store }), keys: [], access: 'viewer' })
  expect(await api.operator.info()).toMatchObject({ canRun: false, access: 'viewer' })
  expect(await api.operator.agents()).toEqual({ agents: [] })
  expect(
    (await api.send('/process', 'viewer', { method: 'POST', body: '{"input":[]}' })).status,
  ).toBeGreaterThanOrEqual(400)
})
