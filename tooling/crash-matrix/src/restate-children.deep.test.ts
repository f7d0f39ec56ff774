// Deep: it starts a Restate server.
import type { Store, ToolContext } from '@parley/core'
import { agentTool } from '@parley/engine'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { isWithoutRestate, notTriedOnRestate } from './__fixtures__/not-tried-on-restate.ts'
import { helperAgent } from './__fixtures__/helper-agent.ts'
import { openPlace, type PlaceOptions } from './__fixtures__/open-place.ts'
import { startRestate, type RestateServer } from './__fixtures__/start-restate.ts'

const APPROVED = { decision: { type: 'approved' as const } }

it.runIf(isWithoutRestate)('a Restate server is installed', notTriedOnRestate)

describe.skipIf(isWithoutRestate)('a sub-agent that workers know by name', () => {
  let server: RestateServer
  beforeAll(async () => {
    server = await startRestate()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const ASK = { toolCalls: [{ name: 'ask_helper', input: { task: 'pay' } }] }
  const open = (given: Partial<PlaceOptions> = {}) =>
    openPlace({
      server,
      url: inject('postgresUrl'),
      script: ({ messages }) => (messages.length === 1 ? ASK : 'All done.'),
      agent: () => ({ tools: [agentTool('helper', { name: 'ask_helper' })] }),
      others: pay => [helperAgent(pay)],
      ...given,
    })

  it('a child run is a Restate workflow of its own, and its parent run continues with the result', async () => {
    await using place = await open()
    const run = await place.client.start('a', 'go')
    expect(await run.result()).toMatchObject({ text: 'All done.', status: 'completed' })
    expect(place.paid).toHaveLength(1)
    const entries = await place.store.read(run.runId)
    const started = entries.find(entry => entry.type === 'agent.started')
    const ended = entries.find(entry => entry.type === 'agent.ended')
    expect(ended).toMatchObject({ outcome: { status: 'completed' }, text: 'Helped.', turns: 2 })
    expect(await server.operations(started?.childRunId ?? '')).toEqual(['step 1', 'tool pay', 'step 2', 'step 3'])
  })

  it('a child run requests its approval at the root run and continues after the decision', async () => {
    await using place = await open({ tool: { permission: 'ask' } })
    const run = await place.client.start('a', 'go')
    let inner = { approvalId: '', runId: '' }
    for await (const event of run.events()) {
      if (event.type !== 'agent.suspended') continue
      inner = { approvalId: event.approvals[0]?.approvalId ?? '', runId: event.childRunId }
      break
    }
    await vi.waitFor(async () => expect((await place.store.run(run.runId))?.status).toBe('suspended'), 30_000)
    await (await place.client.run(inner.runId)).decide(inner.approvalId, APPROVED)
    expect(await run.result()).toMatchObject({ text: 'All done.' })
    expect(place.paid).toHaveLength(1)
  })

  it('a child run is cancelled together with its parent run', async () => {
    const endless = {
      execute: (_: unknown, { signal }: ToolContext) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    await using place = await open({ tool: endless })
    const run = await place.client.start('a', 'go')
    const child = await childOf(place.store, run.runId)
    await vi.waitFor(async () => expect((await place.store.read(child)).at(-1)?.type).toBe('tool.started'), 30_000)
    await run.cancel({ kind: 'user', detail: 'enough' })
    expect(await run.result()).toMatchObject({ status: 'cancelled', reason: { detail: 'enough' } })
    expect((await place.store.run(child))?.status).toBe('cancelled')
  })

  it('a child run is cancelled together with its parent run while both are suspended for approval', async () => {
    await using place = await open({ tool: { permission: 'ask' } })
    const run = await place.client.start('a', 'go')
    const child = await childOf(place.store, run.runId)
    await vi.waitFor(async () => expect((await place.store.run(run.runId))?.status).toBe('suspended'), 30_000)
    await run.cancel()
    expect((await run.result()).status).toBe('cancelled')
    expect((await place.store.run(child))?.status).toBe('cancelled')
    expect(place.paid).toEqual([])
  })

  it('the approval handler of the parent agent decides for a child run, and a cancellation stops the handler', async () => {
    const asked = Promise.withResolvers<void>()
    await using place = await open({
      tool: { permission: 'ask' },
      agent: () => ({
        tools: [agentTool('helper', { name: 'ask_helper' })],
        onApproval: (_, { run }) => {
          if (run.principal?.id !== 'silent') return { type: 'approved' }
          asked.resolve()
          return new Promise(() => {})
        },
      }),
    })
    const run = await place.client.start('a', 'go')
    expect(await run.result()).toMatchObject({ text: 'All done.' })
    expect(place.paid).toHaveLength(1)
    const silent = await place.client.start('a', 'go', { principal: { id: 'silent', roles: [] } })
    await asked.promise
    await silent.cancel()
    expect((await silent.result()).status).toBe('cancelled')
    expect(place.paid).toHaveLength(1)
  })

  it('a child run is cancelled when its tool call times out, and the timeout is the result of the call', async () => {
    const endless = {
      execute: (_: unknown, { signal }: ToolContext) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    }
    await using place = await open({
      tool: endless,
      agent: () => ({ tools: [agentTool('helper', { name: 'ask_helper', timeoutMs: 500 })] }),
    })
    const run = await place.client.start('a', 'go')
    expect(await run.result()).toMatchObject({ text: 'All done.' })
    const entries = await place.store.read(run.runId)
    expect(entries.find(entry => entry.type === 'tool.ended')).toMatchObject({
      error: { code: 'tool-timeout', tool: 'ask_helper', ms: 500 },
    })
    expect(entries.find(entry => entry.type === 'agent.ended')).toMatchObject({ outcome: { status: 'cancelled' } })
  })
})

async function childOf(store: Store, runId: string): Promise<string> {
  return vi.waitFor(async () => {
    const started = (await store.read(runId)).find(entry => entry.type === 'agent.started')
    expect(started).toBeDefined()
    return started?.childRunId ?? ''
  }, 600_000)
}
