import { defineTool, messageText, type EntryOf, type Json, type Message } from '@parley/core'
import { createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import { expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { createContextTools } from './index.ts'

const look = defineTool({
  name: 'look',
  description: 'd',
  input: { type: 'object' },
  execute: (given: unknown) => `seen ${JSON.stringify(given)} ${'x'.repeat(200)}`,
})
const seeing = (n: number): ScriptedAnswer => ({ toolCalls: [{ name: 'look', input: { n } }] })
const trimming = (input: Json): ScriptedAnswer => ({ toolCalls: [{ name: 'trim_context', input }] })
const reverting = (input: Json): ScriptedAnswer => ({ toolCalls: [{ name: 'revert_to_state', input }] })

function setUp(answers: readonly (ScriptedAnswer | string)[], agent: Partial<Agent> = {}) {
  const model = scriptedModel((_request, index) => answers[index] ?? 'Done.')
  const store = createMemoryStore()
  const tools = [look, ...createContextTools()]
  const agents = [defineAgent({ name: 'a', model, tools, ...agent })]
  const runtime = createRuntime({ agents, store })
  const edits = async (runId: string): Promise<EntryOf<'context.compacted'>[]> => {
    const entries = await store.read(runId)
    return entries.filter(entry => entry.type === 'context.compacted') as EntryOf<'context.compacted'>[]
  }
  return { model, store, agents, runtime, edits }
}

/** One line for each message, which shows the remaining steps and the notes that replace removed ones. */
function sent(messages: readonly Message[] | undefined): string[] {
  return (messages ?? []).map(message => {
    if (message.role !== 'assistant') return `${message.role}: ${messageText(message).slice(0, 60)}`
    return `assistant: ${message.content.map(part => (part.type === 'tool-call' ? part.arguments : '')).join()}`
  })
}

it('trim_context removes the newest steps from the request, leaves a memo instead, and keeps the steps in the journal', async () => {
  const { model, runtime, edits } = setUp([
    seeing(1),
    seeing(2),
    seeing(3),
    trimming({ tokens: 70, memo: 'Saw 2, 3.' }),
  ])
  const result = await runtime.run('a', 'go').result
  expect(sent(model.requests[4]?.messages)).toEqual([
    'user: go',
    'assistant: {"n":1}',
    expect.stringContaining('tool: seen {"n":1}'),
    'user: [Memo on steps taken out of the context]\nSaw 2, 3.',
    'assistant: {"tokens":70,"memo":"Saw 2, 3."}',
    expect.stringMatching(/^tool: Removed: 2 of your steps before this one, about \d+ tokens/),
  ])
  expect(result.messages.map(({ role }) => role)).toEqual([
    'user',
    ...Array.from({ length: 4 }, () => ['assistant', 'tool']).flat(),
    'assistant',
  ])
  expect(await edits(result.runId)).toMatchObject([
    { policy: 'trim_context', trigger: 'edit', turn: 5, before: { messages: 9 }, after: { messages: 6 } },
  ])
})

it('trim_context removes at least one step, and only steps of the current run', async () => {
  const { model, runtime } = setUp([
    seeing(1),
    'One.',
    seeing(2),
    trimming({ tokens: 1 }),
    'Two.',
    trimming({ tokens: 1 }),
  ])
  const { sessionId } = await runtime.run('a', 'go').result
  await runtime.run('a', 'again', { sessionId }).result
  const lines = sent(model.requests[4]?.messages)
  expect(lines.filter(line => line.includes('"n":1'))).toHaveLength(2)
  expect(lines.filter(line => line.includes('"n":2'))).toEqual([])
  await runtime.run('a', 'third', { sessionId }).result
  // The third run has no earlier step, so nothing is removed and the model is told why.
  expect(sent(model.requests.at(-1)?.messages).at(-1)).toContain('there is no step of this run')
  expect(sent(model.requests.at(-1)?.messages).filter(line => line.includes('"n":1'))).toHaveLength(2)
})

it('revert_to_state removes the steps after the given one and keeps later user messages', async () => {
  const { model, runtime, edits } = setUp([
    seeing(1),
    seeing(2),
    'So?',
    seeing(3),
    reverting({ category: 'failure', step: 1, summary: 'It is not there.' }),
  ])
  const run = runtime.run('a', 'go')
  await run.followUp('Look again.')
  const { runId } = await run.result
  expect(sent(model.requests[5]?.messages)).toEqual([
    'user: go',
    'assistant: {"n":1}',
    expect.stringContaining('tool: seen {"n":1}'),
    'user: [Lesson on steps taken out of the context]\nIt is not there.',
    'user: Look again.',
    expect.stringContaining('assistant: {"category":"failure"'),
    expect.stringContaining('tool: Back at step 1: 3 steps removed'),
  ])
  expect(await edits(runId)).toHaveLength(1)
})

it('revert_to_state lists the steps if the model names none, and rejects an unknown step', async () => {
  const { model, runtime, edits } = setUp([
    seeing(1),
    seeing(2),
    reverting({ category: 'tangent' }),
    reverting({ category: 'tangent', step: 7 }),
    reverting({ category: 'tangent', step: 'n2' }),
  ])
  const { runId } = await runtime.run('a', 'go').result
  const told = (index: number): string => messageText(model.requests[index]?.messages.at(-1) as Message)
  expect(told(3)).toContain('0: where this task began\n1: look {"n":1}\n2: look {"n":2}')
  expect(told(4)).toContain('there is no step 7 to go back to; it may be 0, 1, 2, 3')
  expect(told(5)).toMatch(/step/)
  expect(await edits(runId)).toEqual([])
})

it('the context tools apply every edit of one answer in the order of the calls', async () => {
  const both = {
    toolCalls: [
      ...(trimming({ tokens: 1 }).toolCalls ?? []),
      ...(reverting({ category: 'completion', step: 1, summary: 'Ok.' }).toolCalls ?? []),
    ],
  }
  const { model, runtime, edits } = setUp([seeing(1), seeing(2), seeing(3), both], { context: 'none' })
  const { runId } = await runtime.run('a', 'go').result
  expect((await edits(runId)).map(({ policy }) => policy)).toEqual(['trim_context', 'revert_to_state'])
  expect(sent(model.requests[4]?.messages).filter(line => line.includes('{"n":'))).toHaveLength(2)
})

it('revert_to_state drops old notes except the newest three, and never a user message that looks like a note', async () => {
  const rounds = Array.from({ length: 9 }, (_, n) => [
    seeing(n),
    reverting({ category: n % 2 === 0 ? 'failure' : 'completion', step: 2 * n, summary: `Note ${n}.` }),
  ])
  const { model, runtime } = setUp(rounds.flat(), { limits: { maxTurns: 30 } })
  await runtime.run('a', '[Lesson on steps taken out of the context]\nNot a note.').result
  const notes = sent(model.requests.at(-1)?.messages).filter(line => line.startsWith('user: ['))
  const numbers = notes.map(line => /Note (\d)/.exec(line)?.[1] ?? 'said')
  expect(numbers).toEqual(['said', '1', '3', '4', '5', '6', '7', '8'])
})

it('a resumed run applies a context edit that was journaled before its process ended', async () => {
  const { store, agents, model, runtime } = setUp([seeing(1), seeing(2), trimming({ tokens: 1, memo: 'Kept.' })])
  const { runId } = await runtime.run('a', 'go').result
  const entries = await store.read(runId)
  const cut = entries.slice(
    0,
    entries.findIndex(({ type }) => type === 'context.compacted'),
  )
  expect(cut.at(-1)).toMatchObject({ type: 'tool.ended', contextEdit: { type: 'trim', tokens: 1, memo: 'Kept.' } })
  const left = createMemoryStore()
  await left.append({ runId, expectedSeq: 0, worker: 'gone', fence: 1, entries: cut })

  const run = await createRuntime({ agents, store: left, isWorkerGone: () => true }).resume(runId)
  expect((await run.result).status).toBe('completed')
  const after = await left.read(runId)
  expect(after.filter(({ type }) => type === 'context.compacted')).toHaveLength(1)
  const lines = sent(model.requests.at(-1)?.messages)
  expect(lines).toContain('user: [Memo on steps taken out of the context]\nKept.')
  expect(lines.filter(line => line.includes('"n":2'))).toEqual([])
})

it('the context tools fail without a run whose context they could edit', async () => {
  const { ok, text } = await callTool(createContextTools(), 'trim_context', { tokens: 10 })
  expect(ok).toBe(false)
  expect(text).toContain('there is no run here')
})
