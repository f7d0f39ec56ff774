import { defineTool, messageText, type Middleware, type ModelRequest, type RunEvent } from '@parley/core'
import { createRuntime, defineAgent, type Agent } from '@parley/engine'
import { fakeClock, scriptedModel, type Script, type ScriptedModelOptions } from '@parley/testing'
import * as z from 'zod'

/** A tool of effect `once` that returns its input text. */
const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  execute: ({ text }) => text,
})

/** An answer that calls `echo`. */
export const callEcho = (text: string, name = 'echo') => ({ toolCalls: [{ name, input: { text } }] })

export interface SetupOptions extends Omit<Partial<Agent>, 'model' | 'middleware'> {
  readonly model?: ScriptedModelOptions
}

/** Creates a runtime with one agent, `a`. Its model follows a script and its clock stands still. */
export function setup(script: Script, middleware: readonly Middleware[], { model: about, ...agent }: SetupOptions = {}) {
  const model = scriptedModel(script, about)
  const clock = fakeClock()
  const a = defineAgent({ name: 'a', model, tools: [echo], ...agent, middleware })
  const runtime = createRuntime({ clock, agents: [a] })
  return { model, clock, runtime, run: (input = 'go') => runtime.run('a', input) }
}

/** Collects all events that a reader of the run receives. */
export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

/** Returns the texts of the tool results in a request. */
export function toldIn(request: ModelRequest | undefined): string[] {
  return (request?.messages ?? []).filter(message => message.role === 'tool').map(messageText)
}

/** Joins the deltas of one type. */
export function shown(events: readonly RunEvent[], type: 'text.delta' | 'reasoning.delta' = 'text.delta'): string {
  return events.map(event => (event.type === type ? event.text : '')).join('')
}
