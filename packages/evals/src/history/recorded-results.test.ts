import {
  canonicalJson,
  defineTool,
  toolAnswer,
  toolError,
  toolOk,
  type Entry,
  type Store,
  type Tool,
} from '@parley/core'
import { agentTool, createRuntime, defineAgent, type Agent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRecordedResults, loadRunHistory, withRecordedResult, type ResultMiss } from './index.ts'

const object = { type: 'object' } as const

/** Tools that count their executions, with every kind of result. */
function countingTools() {
  const executed: string[] = []
  const tool = (name: string, execute: (input: unknown, count: number) => unknown): Tool =>
    defineTool({
      name,
      description: 'd',
      input: { type: 'object', properties: { page: { type: 'number', default: 1 } } },
      effect: 'read',
      execute: input => execute(input, executed.push(name)),
    }) as Tool
  const tools = [
    tool('count', (_, count) => `count ${count}`),
    tool('data', () => toolOk([{ type: 'text', text: 'as text' }], { as: 'data' })),
    tool('refuse', () => toolError('No power.', { retryable: true, metadata: { volts: 0 } })),
    tool('throw', () => {
      throw new Error('broken')
    }),
    tool('finish', () => toolAnswer({ done: true }, 'Finished.')),
  ]
  return { executed, tools }
}

async function record(agents: readonly Agent[], store: Store = createMemoryStore()) {
  const runtime = createRuntime({ store, agents, onUnreadFailure: () => {} })
  const { runId } = await runtime.run('main', 'go').result
  return { store, runId, history: await loadRunHistory(store, runId) }
}

/** The entries without what differs between any two runs: times, ids and stacks. */
function comparable(entries: readonly Entry[]): unknown {
  return JSON.parse(
    JSON.stringify(entries, (key, value: unknown) =>
      ['at', 'runId', 'sessionId', 'childRunId', 'durationMs', 'firstTokenMs'].includes(key) ? undefined : value,
    ),
  )
}

const calls = (...names: string[]): ScriptStep => ({
  toolCalls: names.map((name, index) => ({ name, input: { page: index % 2 } })),
})
const SCRIPT: readonly ScriptStep[] = [
  calls('count', 'data', 'count', 'refuse'),
  calls('throw', 'count', 'unknown-tool'),
  calls('finish'),
]

it('a run whose tools answer from the record has the same journal, and executes no tool', async () => {
  const first = countingTools()
  const recorded = await record([defineAgent({ name: 'main', model: scriptedModel(SCRIPT), tools: first.tools })])
  const second = countingTools()
  const results = createRecordedResults(recorded.history)
  const tools = second.tools.map(tool => withRecordedResult(tool, results))
  const replayed = await record([defineAgent({ name: 'main', model: scriptedModel(SCRIPT), tools })])
  expect(first.executed).toHaveLength(7)
  expect(second.executed).toEqual([])
  expect(comparable(replayed.history.runs[0]?.entries ?? [])).toEqual(
    comparable(recorded.history.runs[0]?.entries ?? []),
  )
})

it('a call of a tool that only starts child runs is executed, and the tools of the child run answer from the record', async () => {
  const make = (tools: readonly Tool[], wrap: (tool: Tool) => Tool) => {
    const child = defineAgent({
      name: 'child',
      model: scriptedModel([calls('count'), 'counted']),
      tools: tools.map(wrap),
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'child', input: { task: 'count' } }] }, 'done'])
    return [defineAgent({ name: 'main', model, tools: [wrap(agentTool(child) as Tool)] }), child]
  }
  const recorded = await record(make(countingTools().tools, tool => tool))
  const { executed, tools } = countingTools()
  const results = createRecordedResults(recorded.history)
  const isDelegation = (tool: Tool): boolean => tool.name === 'child'
  const replayed = await record(make(tools, tool => withRecordedResult(tool, results, { isDelegation })))
  expect(executed).toEqual([])
  expect(replayed.history.runs.map(({ agent }) => agent)).toEqual(['main', 'child'])
  expect(replayed.history.runs.map(run => comparable(run.entries))).toEqual(
    recorded.history.runs.map(run => comparable(run.entries)),
  )
  const safe = createRecordedResults(recorded.history)
  const alone = await record(make(tools, tool => withRecordedResult(tool, safe)))
  expect(alone.history.runs.map(({ agent }) => agent)).toEqual(['main'])
  expect(executed).toEqual([])
})

it('a call that history lacks is reported, ends in an error and is not executed', async () => {
  const recorded = await record([
    defineAgent({ name: 'main', model: scriptedModel([calls('count'), 'x']), tools: countingTools().tools }),
  ])
  const { executed, tools } = countingTools()
  const results = createRecordedResults(recorded.history)
  const misses: ResultMiss[] = []
  const wrapped = tools.map(tool => withRecordedResult(tool, results, { onMiss: miss => misses.push(miss) }))
  const model = scriptedModel([
    calls('count', 'count', 'data'),
    { toolCalls: [{ name: 'count', input: { page: 0 } }] },
    'x',
  ])
  await record([defineAgent({ name: 'main', model, tools: wrapped })])
  expect(executed).toEqual([])
  expect(misses.map(({ name, reason, last }) => [name, reason, last?.name])).toEqual([
    ['count', 'input-not-called', undefined],
    ['data', 'tool-not-called', undefined],
    ['count', 'used-up', 'count'],
  ])
})

it('a result is found by the input that its schema filled in and by the arguments that the model wrote', async () => {
  const tool = defineTool({
    name: 'look',
    description: 'd',
    input: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => ({ value: { city: 'Oslo', ...(value as object) } }),
      },
    },
    jsonSchema: object,
    effect: 'read',
    execute: () => 'sun',
  }) as Tool
  const model = scriptedModel([{ toolCalls: [{ name: 'look', input: {} }] }, 'x'])
  const { history } = await record([defineAgent({ name: 'main', model, tools: [tool] })])
  const both = [
    createRecordedResults(history).take('look', {}),
    createRecordedResults(history).take('look', { city: 'Oslo' }),
  ]
  expect(both.map(({ found }) => found)).toEqual([true, true])
})

it('a call that an approver rejected or a crash interrupted leaves no result', async () => {
  const { tools } = countingTools()
  const agent = defineAgent({
    name: 'main',
    model: scriptedModel([calls('count'), 'x']),
    tools: tools.map(tool => ({ ...tool, permission: 'ask' as const })),
    onApproval: () => ({ type: 'rejected', reason: 'not now' }),
  })
  const { history } = await record([agent])
  expect(createRecordedResults(history).all).toEqual([])
  const [run] = history.runs
  const interrupted = run?.entries.map(entry =>
    entry.type === 'tool.ended' ? { ...entry, error: { code: 'tool-interrupted', tool: 'count' } as const } : entry,
  )
  expect(
    createRecordedResults({ ...history, runs: [{ runId: 'r', agent: 'main', entries: interrupted ?? [] }] }).all,
  ).toEqual([])
})

it('equal calls get their results in recorded order, each once, however the keys of their inputs are ordered', async () => {
  const inputs = fc.array(fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(inputs, async given => {
      let count = 0
      const tool = defineTool({
        name: 'count',
        description: 'd',
        input: object,
        effect: 'read',
        execute: () => String(++count),
      }) as Tool
      const model = scriptedModel([{ toolCalls: given.map(input => ({ name: 'count', input })) }, 'x'])
      const { history } = await record([
        defineAgent({ name: 'main', model, tools: [tool], toolExecution: 'sequential' }),
      ])
      const results = createRecordedResults(history)
      const expected = given.map((input, index) => [canonicalJson(input), String(index + 1)])
      const taken = given.map(({ a, b }) => {
        const lookup = results.take('count', { b, a })
        const text = lookup.found ? lookup.result.message.content : []
        return [canonicalJson({ a, b }), text[0]?.type === 'text' ? text[0].text : '']
      })
      expect(taken).toEqual(expected)
      expect(given.map(input => results.take('count', input).found)).toEqual(given.map(() => false))
    }),
    { numRuns: 40 },
  )
})
