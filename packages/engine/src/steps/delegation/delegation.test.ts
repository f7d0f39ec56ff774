import { defineTool, type JournalAppend, type Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

/** A signal that counts its listeners. */
function countedSignal() {
  const { signal } = new AbortController()
  const listeners = new Set<unknown>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners.add(args[1]), add(...args))
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners.delete(args[1]), remove(...args))
  return { signal, listeners }
}

/** Runs a lead that delegates twice with this signal. */
async function delegateTwice(store: Store, signal?: AbortSignal, onEach: () => void = () => {}) {
  const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Found.') })
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    input: { type: 'object' },
    execute: async (_, { delegate }) => {
      for (const input of ['one', 'two']) {
        await delegate?.({ agent: helper, input, signal })
        onEach()
      }
      return 'asked'
    },
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'ask' }] }, 'Done.'])
  const runtime = createRuntime({ agents: [defineAgent({ name: 'lead', model, tools: [ask] })], store })
  return runtime.invoke('lead', 'go')
}

it('a child run that has ended leaves no listener on the signals that could have stopped it', async () => {
  const { signal, listeners } = countedSignal()
  const left: number[] = []
  const result = await delegateTwice(createMemoryStore(), signal, () => left.push(listeners.size))
  expect(result.status).toBe('completed')
  expect(left).toEqual([0, 0])
})

it("the parent run's journal names a child run before the child run has a journal", async () => {
  const kept = createMemoryStore()
  const named: unknown[] = []
  const append = async (request: JournalAppend): Promise<void> => {
    const [first] = request.entries
    if (first?.type === 'run.started' && first.relation === 'sub-agent') {
      const parents = await kept.runs({ scope: 'default', agent: 'lead' })
      const entries = (await Promise.all(parents.map(({ runId }) => kept.read(runId)))).flat()
      named.push(entries.some(entry => entry.type === 'agent.started' && entry.childRunId === request.runId))
    }
    await kept.append(request)
  }
  await delegateTwice({ ...kept, append })
  expect(named).toEqual([true, true])
})
