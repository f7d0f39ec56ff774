import { defineTool, isEntryEvent, userMessage, type RunEvent } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Run } from '../../index.ts'
import { loadRunMessages, loadRunTree } from '../../journal.ts'

const noop = defineTool({ name: 'noop', description: 'd', input: { type: 'object' }, execute: () => 'fine' })
const asks = defineTool({ ...noop, name: 'asks', permission: 'ask' })

function setUp(script: Parameters<typeof scriptedModel>[0]) {
  const store = createMemoryStore()
  const child = defineAgent({ name: 'child', description: 'Helps.', model: scriptedModel(() => 'helped') })
  const tools = [noop, asks, agentTool(child)]
  const agents = [defineAgent({ name: 'a', model: scriptedModel(script), tools })]
  return { store, runtime: createRuntime({ store, agents, clock: fakeClock() }) }
}

/** Resolves when the store has the run. */
async function begun(run: Run): Promise<Run> {
  for await (const event of run) if (isEntryEvent(event)) break
  return run
}

describe('loadRunMessages', () => {
  it('loadRunMessages returns the transcript with the run and the entry of each message', async () => {
    const { store, runtime } = setUp([{ toolCalls: [{ name: 'noop' }, { name: 'noop' }] }, 'One.', 'Two.'])
    const first = await runtime.run('a', 'go', { sessionId: 's', history: [userMessage('before')] }).orThrow()
    const second = await runtime.run('a', 'more', { sessionId: 's' }).orThrow()
    const located = await loadRunMessages(store, second.runId)
    expect(located.map(({ message }) => message)).toEqual(await runtime.transcript(second.runId))
    expect(located[0]).toEqual({ message: userMessage('before') })
    expect(located.map(({ runId }) => runId)).toEqual([
      undefined,
      ...Array(5).fill(first.runId),
      ...Array(2).fill(second.runId),
    ])
    for (const { message, runId, seq } of located.slice(1)) {
      const entry = (await store.read(runId ?? ''))[(seq ?? 0) - 1]
      expect(entry).toMatchObject({ message })
    }
  })

  it('loadRunMessages leaves out an answer whose calls have no result, as transcript does', async () => {
    const { store, runtime } = setUp([{ toolCalls: [{ name: 'asks' }] }])
    const { runId } = await runtime.run('a', 'go').result
    const located = await loadRunMessages(store, runId)
    expect(located.map(({ message }) => message)).toEqual(await runtime.transcript(runId))
    expect(located).toHaveLength(1)
  })
})

describe('loadRunTree', () => {
  it('loadRunTree returns a run, the child runs of its calls, and what each has used', async () => {
    const { store, runtime } = setUp([
      { toolCalls: [{ name: 'child', input: { task: 'x' } }] },
      { toolCalls: [{ name: 'asks' }] },
    ])
    const { runId } = await runtime.run('a', 'go').result
    const tree = await loadRunTree(store, runId)
    expect(tree).toMatchObject({
      run: { runId, status: 'suspended' },
      children: [{ run: { agent: 'child' }, children: [] }],
    })
    const [child] = tree.children
    expect(child?.callId).toBe((await store.read(runId)).find(entry => entry.type === 'agent.started')?.callId)
    expect(tree.usage.output).toBeGreaterThan(child?.usage.output ?? Infinity)
    await expect(loadRunTree(store, 'x')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
  })
})

describe('replay with ephemeral events', () => {
  it('replay shows pieces of answers before and after a suspension, and each entry once', async () => {
    const gate = Promise.withResolvers<void>()
    const { store, runtime } = setUp([
      { text: 'Wait.', toolCalls: [{ name: 'asks' }] },
      { text: 'Done now.', until: gate.promise },
    ])
    const run = await begun(runtime.run('a', 'go'))
    const seen: RunEvent[] = []
    const reading = (async () => {
      for await (const event of runtime.replay(run.runId, { ephemeral: true })) {
        seen.push(event)
        // The reader of the journal becomes a reader of the resumed run with its next read.
        if (event.type === 'run.resumed') setImmediate(gate.resolve)
        if (event.type !== 'run.suspended') continue
        const { approvalId } = event.approvals[0] ?? { approvalId: '' }
        await run.result
        await runtime.decide(run.runId, approvalId, { decision: { type: 'approved' } })
      }
    })()
    await reading
    const entries = seen.filter(isEntryEvent)
    expect(entries.map(({ seq }) => seq)).toEqual((await store.read(run.runId)).map(({ seq }) => seq))
    const text = (from: number) =>
      seen.flatMap(e => (e.type === 'text.delta' && e.turn === from ? [e.text] : [])).join('')
    expect([text(1), text(2)]).toEqual(['Wait.', 'Done now.'])
  })

  it('replay shows no event of a child run, which has numbers of its own', async () => {
    const { store, runtime } = setUp([{ toolCalls: [{ name: 'child', input: { task: 'x' } }] }, 'Done.'])
    const run = await begun(runtime.run('a', 'go'))
    const seen: RunEvent[] = []
    for await (const event of runtime.replay(run.runId, { ephemeral: true })) seen.push(event)
    expect(new Set(seen.map(({ runId }) => runId))).toEqual(new Set([run.runId]))
    const entries = seen.filter(isEntryEvent).map(({ seq }) => seq)
    expect(entries).toEqual((await store.read(run.runId)).map(({ seq }) => seq))
  })

  it('replay of a run that has ended returns its entries and ends, and a reader that leaves ends the wait', async () => {
    const { runtime } = setUp(['One.', { hang: true }])
    const { runId } = await runtime.run('a', 'go').orThrow()
    const types: string[] = []
    for await (const { type } of runtime.replay(runId, { ephemeral: true, afterSeq: 2 })) types.push(type)
    expect(types.at(-1)).toBe('run.ended')
    const hung = await begun(runtime.run('a', 'go'))
    const leave = new AbortController()
    let seen = 0
    for await (const { type } of runtime.replay(hung.runId, { ephemeral: true, signal: leave.signal })) {
      seen += 1
      // The next event never comes, so the reader waits when it is told to leave.
      if (type === 'message.appended') setImmediate(() => leave.abort())
    }
    expect(seen).toBeGreaterThan(1)
    await hung.cancel()
  })
})
