import { defineTool, type Entry, type Tool, type ToolSource } from '@parley/core'
import { parseEntry } from '@parley/core/schema'
import { truncateOldest } from '@parley/context-policies'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type Agent, type RunOptions } from '../index.ts'
import { loadRun } from '../journal.ts'

const tool = (name: string, effect?: Tool['effect']) =>
  defineTool({ name, description: name, input: { type: 'object' }, effect, execute: () => 'ok' })

const docs: ToolSource = { name: 'docs', tools: async () => [], [Symbol.asyncDispose]: async () => {} }

const full = (fields: Partial<Agent> = {}): Agent => ({
  name: 'a',
  model: scriptedModel(() => 'Done.'),
  instructions: [{ text: 'Be brief.' }, { template: 'Serve {{user}}.', variables: ['user'] }],
  settings: {
    temperature: 0.2,
    thinking: 'low',
    providerOptions: { acme: { apiKey: 'hidden-1', headers: { 'x-key': 'hidden-2' } } },
  },
  limits: { maxTurns: 7, maxTokens: Infinity },
  tools: [tool('search', 'read'), tool('pay'), docs],
  handoffs: [{ name: 'b', model: scriptedModel(() => 'Done.') }],
  context: truncateOldest({ maxMessages: 20 }),
  ...fields,
})

async function journalOf(agent: Agent, options?: RunOptions): Promise<readonly Entry[]> {
  const store = createMemoryStore()
  const run = createRuntime({ agents: [agent], store }).run('a', 'go', options)
  await run.result
  return store.read(run.runId)
}

async function snapshotIn(agent: Agent, options?: RunOptions) {
  const [first] = await journalOf(agent, options)
  return first?.type === 'run.started' ? first.snapshot : undefined
}

describe('the snapshot of the agent in run.started', () => {
  it('the entry run.started keeps a snapshot of the agent: settings, limits, tools with effects, prompt and policy', async () => {
    expect(await snapshotIn(full(), { variables: { user: 'Ann' } })).toEqual({
      settings: { temperature: 0.2, thinking: 'low' },
      limits: { maxTurns: 7, maxTokens: 'unlimited' },
      onLimit: 'stop',
      tools: { search: 'read', pay: 'once' },
      toolSources: ['docs'],
      handoffs: ['b'],
      instructions: { digest: expect.stringMatching(/^[0-9a-f]{16}$/), text: 'Be brief.\nServe {{user}}.' },
      context: 'truncate-oldest',
    })
  })

  it('the snapshot of a minimal agent names only the defaults', async () => {
    expect(
      await snapshotIn(
        full({
          instructions: undefined,
          settings: undefined,
          limits: undefined,
          tools: [],
          handoffs: [],
          context: 'none',
        }),
      ),
    ).toEqual({ settings: {}, limits: {}, onLimit: 'stop', tools: {} })
    expect(await snapshotIn(defineAgent({ name: 'a', model: scriptedModel(() => 'x') }))).toMatchObject({
      context: 'sliding-window',
    })
  })

  it('the snapshot contains no provider options, no values of variables, and no instructions with a credential', async () => {
    const text = `Call the service with the header Authorization: Bearer ${'abc123'.repeat(5)}.`
    const snapshot = JSON.stringify(await snapshotIn(full({ instructions: text }), {}))
    expect(snapshot).not.toMatch(/hidden|abc123|Bearer/)
    const templated = JSON.stringify(await snapshotIn(full(), { variables: { user: 'hidden-3' } }))
    expect(templated).not.toContain('hidden')
  })

  it('the snapshot of long instructions has only their digest, which depends on every character', async () => {
    const digests = ['x', 'y'].map(async last => {
      const { instructions } = (await snapshotIn(full({ instructions: `${'long '.repeat(1_000)}${last}` }))) ?? {}
      expect(instructions).not.toHaveProperty('text')
      return instructions?.digest
    })
    expect(new Set(await Promise.all(digests)).size).toBe(2)
  })

  it('all runs of an agent share one frozen snapshot, also runs with settings of their own', async () => {
    const runtime = createRuntime({ agents: [full()] })
    const seen: unknown[] = []
    for (const options of [{}, { settings: { temperature: 1 } }]) {
      for await (const event of runtime.run('a', 'go', options))
        if (event.type === 'run.started') seen.push(event.snapshot)
    }
    expect(seen[1]).toBe(seen[0])
    expect(Object.isFrozen(seen[0])).toBe(true)
  })

  it('the entry agent.changed keeps a snapshot of the agent that continues after a handoff', async () => {
    const model = scriptedModel([{ toolCalls: [{ name: 'transfer_to_b' }] }])
    const b = { name: 'b', model: scriptedModel(() => 'Done.'), settings: { temperature: 0.9 } }
    const journal = await journalOf(full({ model, handoffs: [b] }))
    const changed = journal.find(entry => entry.type === 'agent.changed')
    expect(changed).toMatchObject({ snapshot: { settings: { temperature: 0.9 } } })
  })

  it('a journal without a snapshot stays readable and can be continued', async () => {
    const journal = await journalOf(full())
    const old = journal.map(entry => {
      if (entry.type !== 'run.started') return entry
      const { snapshot: _snapshot, ...rest } = entry
      return parseEntry(JSON.stringify(rest), 'old')
    })
    const store = createMemoryStore()
    await store.append({ runId: 'old', expectedSeq: 0, worker: 'w', fence: 1, entries: old })
    expect(await loadRun(store, 'old')).toMatchObject({ outcome: { status: 'completed' } })
    const [first] = old
    const sessionId = first?.type === 'run.started' ? first.sessionId : ''
    const result = await createRuntime({ agents: [full()], store }).run('a', 'again', { sessionId }).result
    expect(result).toMatchObject({ status: 'completed', messages: { length: 4 } })
  })
})
