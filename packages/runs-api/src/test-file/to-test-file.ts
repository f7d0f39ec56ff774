import type { Entry, EntryOf, Json, Message, ToolEffect } from '@parley/core'
import type { TestFile } from '../wire/run-verbs.ts'

/** A run that has ended. */
export interface RecordedRun {
  readonly runId: string
  readonly entries: readonly Entry[]
  /** The transcript that the run continued. */
  readonly history: readonly Message[]
}

/**
 * Writes a Vitest file that repeats a run. A scripted model gives the recorded answers, and tools return the recorded results, so
 * nothing outside is called. Child runs and approvals are part of the recorded results.
 */
export function toTestFile({ runId, entries, history }: RecordedRun): TestFile {
  const [first] = entries
  const agent = first?.type === 'run.started' ? first.agent : 'agent'
  const ended = entries.findLast(entry => entry.type === 'run.ended')
  const results = entries.filter(entry => entry.type === 'tool.ended')
  const input = entries.find(entry => isMessage(entry) && entry.source === 'input')
  const content = isMessage(input) && input.message.role === 'user' ? input.message.content : []
  const text = `import { defineTool, toolError, toolOk } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'

// What the model answered in run ${runId}.
const model = scriptedModel(${literal(entries.flatMap(toAnswer))})

// What the tools returned, by call.
const results = ${literal(Object.fromEntries(results.map(entry => [entry.callId, toResult(entry)])))}

const called = []
const tools = ${literal(toolsOf(entries))}.map(({ name, effect }) =>
  defineTool({
    name,
    effect,
    description: 'Returns the recorded result.',
    input: { type: 'object' },
    execute: (_, { callId }) => {
      called.push(callId)
      const { content, structured, isError, text } = results[callId]
      return isError ? toolError(text) : toolOk(content, structured)
    },
  }),
)

const history = ${literal(history)}
const input = ${literal({ role: 'user', content })}

it(${literal(`the agent ${agent} answers as in run ${runId}`)}, async () => {
  const runtime = createRuntime({ agents: [defineAgent({ name: ${literal(agent)}, model, tools, repairArguments: false })] })
  const run = runtime.run(${literal(agent)}, input, { history })
${entries.flatMap(toQueued).join('')}  const { status, text } = await run.result
  expect(status).toBe(${literal(ended?.outcome.status ?? 'completed')})
${toExpectedText(entries)}  expect(called.toSorted()).toEqual(${literal(results.map(({ callId }) => callId).toSorted())})
})
`
  return { name: `${agent.replaceAll(/[^\p{L}\p{N}-]+/gu, '-').toLowerCase()}.test.ts`, text }
}

/** JSON is JavaScript, except for the name of a prototype. */
function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll('"__proto__":', '["__proto__"]:')
}

function isMessage(entry: Entry | undefined): entry is EntryOf<'message.appended'> {
  return entry?.type === 'message.appended'
}

/** The step of the scripted model for an answer, or for a failed call. */
function toAnswer(entry: Entry): readonly Json[] {
  if (entry.type === 'model.failed') return [{ error: entry.error as Json }]
  if (!isMessage(entry) || entry.message.role !== 'assistant') return []
  const { content, finish } = entry.message
  const join = (type: 'text' | 'reasoning'): string =>
    content.flatMap(part => (part.type === type ? [part.text] : [])).join('')
  const reasoning = join('reasoning')
  const calls = content.filter(part => part.type === 'tool-call')
  return [
    {
      ...(reasoning === '' ? {} : { reasoning }),
      text: join('text'),
      ...(calls.length === 0
        ? {}
        : { toolCalls: calls.map(({ name, callId, arguments: given }) => ({ name, callId, arguments: given })) }),
      ...(finish === undefined ? {} : { finish }),
    },
  ]
}

function toResult({ message }: EntryOf<'tool.ended'>): object {
  const text = message.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const content = message.content.map(({ providerData: _own, ...part }) => part)
  const { structured, isError = false } = message
  return { content, ...(structured === undefined ? {} : { structured }), isError, text }
}

/** The tools that were called, with the effects that their calls had. */
function toolsOf(entries: readonly Entry[]): readonly object[] {
  const effects = new Map<string, ToolEffect>()
  for (const entry of entries) {
    if (entry.type === 'tool.ended' && !effects.has(entry.name)) effects.set(entry.name, 'once')
    if (entry.type === 'tool.started') effects.set(entry.name, entry.effect)
  }
  return [...effects].map(([name, effect]) => ({ name, effect }))
}

/** A message that arrived during the run. The scripted model answers the same, whenever it arrives. */
function toQueued(entry: Entry): readonly string[] {
  if (!isMessage(entry) || entry.message.role !== 'user') return []
  if (entry.source !== 'steering' && entry.source !== 'follow-up') return []
  return [`  await run.${entry.source === 'steering' ? 'steer' : 'followUp'}(${literal(entry.message)})\n`]
}

/** A run whose model never answered has no text. */
function toExpectedText(entries: readonly Entry[]): string {
  const answer = entries.findLast(entry => isMessage(entry) && entry.message.role === 'assistant')
  if (!isMessage(answer) || answer.message.role !== 'assistant') return ''
  const text = answer.message.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
  return `  expect(text).toBe(${literal(text)})\n`
}
