import { defineTool, messageText, type RunEvent } from '@parley/core'
import { createRuntime, defineAgent, type Agent, type RuntimeOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import * as z from 'zod'

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: ({ a, b }) => a + b,
})

/** Creates a runtime with an in-memory store and one agent, `a`, whose model follows a script. */
export function assistant(script: Script, fields: Partial<Agent> = {}, options: RuntimeOptions = {}) {
  const model = scriptedModel(script)
  const store = createMemoryStore()
  const agent = defineAgent({ name: 'a', model, tools: [add], ...fields })
  const runtime = createRuntime({ agents: [agent], store, ...options })
  const sent = (call: number) => (model.requests[call]?.messages ?? []).map(messageText)
  return { model, store, agent, runtime, sent, run: (input = 'go') => runtime.run('a', input) }
}

export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}
