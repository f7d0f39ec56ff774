import { defineTool, type RunEvent } from '@parley/core'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import * as z from 'zod'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'

/** A tool that adds, for agents of tests. */
export const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  execute: ({ a, b }) => a + b,
})
/** An answer that calls `add`. */
export const callAdd = { toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }

/** A runtime with one agent, `a`, whose model follows a script and whose clock stands still. */
export function setup(script: Script, agent: Partial<Agent> = {}) {
  const model = scriptedModel(script)
  const clock = fakeClock()
  const runtime = createRuntime({ clock, agents: [defineAgent({ name: 'a', model, tools: [add], ...agent })] })
  return { model, clock, runtime, run: (input = 'go') => runtime.run('a', input) }
}

/** Returns all events that a reader receives. */
export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

/** Returns the results that the model received for the calls of its first answer. */
export function toldTo({ model }: ReturnType<typeof setup>): string[] {
  return (model.requests[1]?.messages ?? []).flatMap(message =>
    message.role === 'tool' ? message.content.map(part => (part.type === 'text' ? part.text : '')) : [],
  )
}
