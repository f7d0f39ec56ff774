import { defineTool, type Store, type Tool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { createRuntime, defineAgent, type Agent, type RunResult } from '../../../index.ts'

export const LOOK = { toolCalls: [{ name: 'look', input: { at: 'door' } }] }

/** The client executes it. */
export const look = defineTool({
  name: 'look',
  description: 'Looks through the camera of the user.',
  input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
})

interface Setup {
  readonly script?: Script
  readonly tools?: readonly Tool[]
  readonly agent?: Partial<Agent>
  readonly agents?: readonly Agent[]
}

/** An agent `a` that calls `look` once. */
export function setUpClientTools({ script = [LOOK, 'It is open.'], tools = [look], agent = {}, agents = [] }: Setup = {}) {
  const clock = fakeClock()
  const store = createMemoryStore()
  const model = scriptedModel(script)
  const all = [defineAgent({ name: 'a', model, tools, ...agent }), ...agents]
  const runtimeOn = (shared: Store | undefined = store) => createRuntime({ agents: all, clock, store: shared })
  return { clock, store, model, runtime: runtimeOn(), runtimeOn }
}

/** The calls that wait for the client. */
export function callsOf(result: RunResult) {
  return result.status === 'suspended' ? result.clientCalls : []
}
