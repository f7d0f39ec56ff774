import { openPostgresStore } from '@parley/postgres'
import { expect, inject, it } from 'vitest'
import { openRunsApi, untilIdle } from '../../__fixtures__/open-runs-api.ts'

it('every part of the Runs API works on PostgreSQL', async () => {
  const store = await openPostgresStore({ url: inject('postgresUrl'), schema: 'runs_api' })
  const script = [{ toolCalls: [{ name: 'pay', callId: 'p' }] }, 'Paid.', 'Forked.', 'Again.']
  await using api = await openRunsApi({ store, script })
  const { operator } = api
  const admin = api.clientOf('admin')
  const { runId } = await operator.start({ agent: 'guide', input: 'pay order 17' })
  await untilIdle(operator, runId)
  const [asked] = (await operator.approvals()).approvals
  await operator.decide(asked?.approvalId ?? '', { decision: { type: 'approved' } })
  for await (const event of operator.events(runId)) if (event.type === 'run.ended') break
  const page = await operator.runs({ text: 'order', roots: true, status: 'completed', limit: 1 })
  expect(page.runs.map(run => run.runId)).toEqual([runId])
  const at = (await operator.entries(runId)).entries.find(entry => entry.type === 'tool.ended')?.seq
  const changes = { at, results: [{ callId: 'p', content: 'declined' }] }
  expect(await operator.planFork(runId, changes)).toMatchObject({ replaced: [{ callId: 'p', effect: 'once' }] })
  const fork = await operator.fork(runId, changes)
  await untilIdle(operator, fork.runId)
  const [rerun] = (await operator.rerun(fork.runId)).runs
  await untilIdle(operator, rerun?.runId ?? '')
  expect(await operator.run(fork.runId)).toMatchObject({ relation: 'branch', status: 'completed', requests: [1] })
  expect((await operator.request(fork.runId, 1)).request.messages).toHaveLength(3)
  expect((await operator.transcript(fork.runId)).messages).toHaveLength(4)
  expect(await operator.tree(runId)).toMatchObject({ run: { runId }, children: [] })
  expect((await operator.asTest(runId)).text).toContain('Paid.')
  expect((await operator.usage({ by: ['agent'] })).totals).toMatchObject([{ agent: 'guide', calls: 4 }])
  expect(await operator.workers()).toMatchObject({ workers: [] })
  expect(await operator.workflows()).toEqual({ workflows: [] })
  expect(await operator.unknownCalls()).toEqual({ calls: [] })
  expect(await operator.deadLetters()).toEqual({ deadLetters: [] })
  expect((await operator.health()).parts).toContainEqual(expect.objectContaining({ kind: 'store', status: 'ok' }))
  expect(await admin.prune(rerun?.runId ?? '')).toEqual({ pruned: true })
})
