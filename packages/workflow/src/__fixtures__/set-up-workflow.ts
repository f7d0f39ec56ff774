import { defineTool, type Json, type RunEvent, type Store } from '@parley/core'
import { createRuntime, defineAgent, type Run, type RuntimeOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { defineWorkflow, type Step, type Workflow, type WorkflowOptions } from '../index.ts'

const anything = { type: 'object' } as const

/** Tools that record their calls, and an agent that answers with its prompt in capitals. */
export function stepParts() {
  const calls: Json[] = []
  const stopped: Json[] = []
  const load = { now: 0, most: 0 }
  const note = (value: Json): Json => {
    calls.push(value)
    return value
  }
  const tools = [
    defineTool({ name: 'echo', description: 'd', input: anything, effect: 'read', execute: input => note(valueOf(input)) }),
    defineTool({
      name: 'work',
      description: 'd',
      input: anything,
      effect: 'read',
      async execute(input) {
        load.most = Math.max(load.most, ++load.now)
        await new Promise(resolve => setImmediate(resolve))
        load.now--
        return note(valueOf(input))
      },
    }),
    defineTool({
      name: 'fail',
      description: 'd',
      input: anything,
      effect: 'read',
      execute: input => {
        note(valueOf(input))
        throw new Error('broken')
      },
    }),
    defineTool({
      name: 'hang',
      description: 'd',
      input: anything,
      effect: 'read',
      execute: (input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.push(valueOf(input))
            reject(new Error('stopped'))
          })
        }),
    }),
    // Ignores its signal.
    defineTool({ name: 'stubborn', description: 'd', input: anything, effect: 'read', execute: () => new Promise(() => {}) }),
  ]
  const shout = scriptedModel(({ messages }) => {
    const [part] = messages.at(-1)?.content ?? []
    return typeof part === 'object' && part.type === 'text' ? part.text.toUpperCase() : ''
  })
  const agents = [defineAgent({ name: 'shouter', model: shout })]
  return { calls, stopped, load, tools, agents, shout, registry: { tools, agents } }
}

function valueOf(input: unknown): Json {
  return (input as { readonly value?: Json }).value ?? null
}

export interface SetUp {
  readonly fields?: Partial<Workflow> | undefined
  readonly options?: WorkflowOptions | undefined
  readonly runtime?: RuntimeOptions | undefined
}

/** A workflow `w` of these steps, in a runtime with an in-memory store. */
export function setUpWorkflow(steps: readonly Step[], { fields, options, runtime: runtimeOptions }: SetUp = {}) {
  const parts = stepParts()
  const { agents, tools } = parts
  const workflow = defineWorkflow({ name: 'w', steps, ...fields }, { agents, tools, ...options })
  const store: Store = createMemoryStore()
  const runtime = createRuntime({ agents: [workflow], store, isWorkerGone: () => true, ...runtimeOptions })
  const run = (variables?: Record<string, Json>, input = 'go'): Run =>
    runtime.run('w', input, variables === undefined ? {} : { variables })
  return { ...parts, workflow, store, runtime, run, outcome: (variables?: Record<string, Json>) => outcomeOf(run(variables)) }
}

/** The run's output, its error, or its status. */
export async function outcomeOf(run: Run): Promise<unknown> {
  const result = await run.result
  if (result.status === 'completed') return result.output
  return result.status === 'failed' ? result.error : result.status
}

export async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

export const echo = (value: Json, fields: { readonly name?: string } = {}): Step => ({
  type: 'tool',
  tool: 'echo',
  input: { value },
  ...fields,
})
export const call = (tool: string, value: Json = null): Step => ({ type: 'tool', tool, input: { value } })
export const success = (result: Json) => ({ status: 'success', result, failures: [] })
