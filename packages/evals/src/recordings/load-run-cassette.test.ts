import { defineTool, type Entry, type Model, type Store, type Tool } from '@parley/core'
import { agentTool, createRuntime, defineAgent, type RuntimeOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { openFolder } from './__fixtures__/open-folder.ts'
import { loadRunCassette, readCassette, replayModel, writeCassette } from './index.ts'

const CHILD: readonly ScriptStep[] = [{ toolCalls: [{ name: 'look', input: {} }] }, 'Sun.']
const MAIN: readonly ScriptStep[] = [
  {
    reasoning: 'Ask.',
    text: 'I ask.',
    toolCalls: [
      { name: 'helper', input: { task: 'Look.' } },
      { name: 'look', input: {} },
    ],
  },
  'It is sunny.',
]

interface Models {
  readonly main: Model
  readonly child: Model
}

function agentsOf({ main, child }: Models) {
  const look = defineTool({
    name: 'look',
    description: 'd',
    input: { type: 'object' },
    effect: 'read',
    execute: () => 'sun',
  })
  const helper = defineAgent({ name: 'helper', model: child, tools: [look] })
  return [
    defineAgent({ name: 'main', instructions: 'Be brief.', model: main, tools: [agentTool(helper) as Tool, look] }),
  ]
}

async function record(models: Models, options: RuntimeOptions = {}) {
  const store = createMemoryStore()
  const runtime = createRuntime({ store, agents: agentsOf(models), ...options })
  const earlier = await runtime.run('main', 'Before.', { sessionId: 's' }).result
  const { runId, status } = await runtime.run('main', 'Weather?', { sessionId: 's' }).result
  return { store, runId, status, earlier: earlier.runId }
}

const scripted = (): Models => {
  const main = scriptedModel(['Hello.', ...MAIN], { id: 'main' })
  return { main, child: scriptedModel(CHILD, { id: 'child' }) }
}

async function comparable(store: Store, runId: string): Promise<unknown> {
  const entries: readonly Entry[] = await store.read(runId)
  return JSON.parse(
    JSON.stringify(entries, (key, value: unknown) =>
      ['at', 'runId', 'sessionId', 'childRunId', 'durationMs', 'firstTokenMs'].includes(key) ? undefined : value,
    ),
  )
}

describe('loadRunCassette', () => {
  it.each(['keep', 'none'] as const)(
    'a run replays from the cassette of its journal with the same journal, child runs included, with captureRequests %s',
    async captureRequests => {
      using folder = openFolder()
      const recorded = await record(scripted(), { captureRequests })
      const file = folder.file('c.jsonl')
      const earlier = await loadRunCassette(recorded.store, recorded.earlier)
      const cassette = await loadRunCassette(recorded.store, recorded.runId)
      expect(cassette.calls.map(({ model, request }) => [model, request.tools?.length])).toEqual([
        ['scripted/main', captureRequests === 'keep' ? 2 : undefined],
        ['scripted/child', captureRequests === 'keep' ? 1 : undefined],
        ['scripted/child', captureRequests === 'keep' ? 1 : undefined],
        ['scripted/main', captureRequests === 'keep' ? 2 : undefined],
      ])
      writeCassette(file, {
        ...cassette,
        calls: [...earlier.calls.map(call => ({ ...call, call: 0 })), ...cassette.calls],
      })
      expect(readCassette(file).calls).toHaveLength(5)
      const main = replayModel(file, { model: 'scripted/main' })
      const child = replayModel(file, { model: 'scripted/child' })
      const replayed = await record({ main, child }, { captureRequests })
      expect([...main.unused, ...child.unused]).toEqual([])
      expect(await comparable(replayed.store, replayed.runId)).toEqual(await comparable(recorded.store, recorded.runId))
    },
  )

  it('a failed call is replayed as the same failure', async () => {
    const error = { code: 'model-auth', provider: 'scripted', detail: 'no key' } as const
    const store = createMemoryStore()
    const run = (model: Model) =>
      createRuntime({ store, onUnreadFailure: () => {} }).run(defineAgent({ name: 'a', model }), 'go').result
    const recorded = await run(scriptedModel([{ error }]))
    const replayed = await run(replayModel(await loadRunCassette(store, recorded.runId)))
    expect(replayed).toMatchObject({ status: 'failed', error })
  })

  it('a changed prompt fails with the instructions that changed', async () => {
    const recorded = await record(scripted(), { captureRequests: 'keep' })
    const cassette = await loadRunCassette(recorded.store, recorded.earlier)
    const model = replayModel(cassette)
    const changed = agentsOf({ main: model, child: model }).map(agent => ({ ...agent, instructions: 'Be long.' }))
    const { status, ...rest } = await createRuntime({ agents: changed, onUnreadFailure: () => {} }).run(
      'main',
      'Before.',
    ).result
    expect(status).toBe('failed')
    expect(JSON.stringify(rest)).toContain(String.raw`system[0].text:\n    - Be brief.\n    + Be long.`)
  })

  it('loadRunCassette rejects an unknown run', async () => {
    await expect(loadRunCassette(createMemoryStore(), 'nope')).rejects.toThrow("There is no run 'nope' in this store.")
  })
})
