import { defineTool, type ErrorInfo, type RunEvent, type Tool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import {
  agentTool,
  createRuntime,
  defineAgent,
  RunFailedError,
  type Agent,
  type Run,
  type RunResult,
} from '../../index.ts'
import { textStream } from './text-stream.ts'

function start(steps: readonly ScriptStep[], agent: Partial<Agent> = {}): Run {
  return createRuntime().run(defineAgent({ name: 'a', model: scriptedModel(steps), ...agent }), 'go')
}

async function readText(run: Pick<Run, 'textStream'>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of run.textStream) pieces.push(piece)
  return pieces
}

const look: Tool = defineTool({ name: 'look', description: 'd', input: { type: 'object' }, execute: () => 'seen' })

describe('textStream', () => {
  it('textStream yields the pieces of every answer in order', async () => {
    const steps = [
      { text: 'I look. ', chunkSize: 4, toolCalls: [{ name: 'look' }] },
      { text: 'It is noon.', chunkSize: 4 },
    ]
    const pieces = await readText(start(steps, { tools: [look] }))
    expect(pieces.join('')).toBe('I look. It is noon.')
    expect(pieces.length).toBeGreaterThan(2)
  })

  it('textStream leaves out the text of child runs', async () => {
    const helper = defineAgent({ name: 'helper', description: 'h', model: scriptedModel(['Secret.']) })
    const steps = [{ toolCalls: [{ name: 'helper', input: { task: 't' } }] }, 'Mine.']
    expect((await readText(start(steps, { tools: [agentTool(helper)] }))).join('')).toBe('Mine.')
  })

  it('textStream yields the text of an answer once to a reader that starts after it', async () => {
    const run = start(['Whole.'])
    await run.result
    expect(await readText(run)).toEqual(['Whole.'])
  })

  it('two readers of textStream each receive the whole text, also if one starts after the end', async () => {
    const run = start([{ text: 'Once upon a time.', chunkSize: 5 }])
    const first = (await readText(run)).join('')
    expect([first, (await readText(run)).join('')]).toEqual(['Once upon a time.', 'Once upon a time.'])
  })

  it('a reader of textStream that starts within an answer receives the whole answer', async () => {
    const run = start([{ text: 'Once upon a time.', chunkSize: 5 }])
    for await (const event of run) if (event.type === 'text.delta') break
    expect((await readText(run)).join('')).toBe('Once upon a time.')
  })

  it('textStream throws RunFailedError after the text of a run that fails', async () => {
    const error: ErrorInfo = { code: 'model-server', provider: 'p', detail: 'broken' }
    const run = start([{ text: 'I look. ', toolCalls: [{ name: 'look' }] }, { error }], { tools: [look] })
    const pieces: string[] = []
    const reading = (async () => {
      for await (const piece of run.textStream) pieces.push(piece)
    })()
    await expect(reading).rejects.toThrow(RunFailedError)
    await expect(reading).rejects.toThrow('p failed with a server error. broken')
    expect(pieces.join('')).toBe('I look. ')
  })

  it('a reader that lost the pieces of the answer after a discarded one receives the recorded answer whole', async () => {
    const facts = { runId: 'r', sessionId: 's', path: [], seq: 1, at: 0 }
    const content = [{ type: 'text' as const, text: 'Once upon a time.' }]
    const events: readonly RunEvent[] = [
      { ...facts, type: 'model.started', turn: 1, model: 'm' },
      { ...facts, type: 'text.delta', turn: 1, text: 'Onc' },
      { ...facts, v: 1, type: 'answer.discarded', turn: 1 },
      {
        ...facts,
        v: 1,
        type: 'message.appended',
        source: 'model',
        message: { role: 'assistant', model: 'm', content },
      },
    ]
    async function* read(): AsyncGenerator<RunEvent, undefined> {
      yield* events
      return undefined
    }
    const result = Promise.resolve({ status: 'completed' } as RunResult)
    const pieces: string[] = []
    for await (const piece of textStream({ runId: 'r', result, [Symbol.asyncIterator]: read })) pieces.push(piece)
    expect(pieces).toEqual(['Onc', 'Once upon a time.'])
  })

  it('leaving the loop over textStream leaves the run running', async () => {
    const run = start([{ text: 'Once upon a time.', chunkSize: 5 }])
    for await (const _ of run.textStream) break
    expect((await run.orThrow()).text).toBe('Once upon a time.')
  })

  it('a reader of textStream may leave while it waits for the next piece', async () => {
    const run = start([{ hang: true }])
    const reader = run.textStream[Symbol.asyncIterator]()
    const waiting = reader.next()
    expect(await reader.return?.()).toEqual({ value: undefined, done: true })
    await run.cancel()
    expect(await waiting).toEqual({ value: undefined, done: true })
  })

  it('textStream of a run that another process drives throws once that process has cancelled it', async () => {
    const gate = Promise.withResolvers<string>()
    const store = createMemoryStore()
    const wait = defineTool({ name: 'wait', description: 'd', input: { type: 'object' }, execute: () => gate.promise })
    const model = scriptedModel([{ toolCalls: [{ name: 'wait' }] }, 'Done.'])
    const agents = [defineAgent({ name: 'a', model, tools: [wait] })]
    const driving = createRuntime({ store, agents }).run('a', 'go')
    for await (const event of driving) if (event.type === 'tool.started') break
    const followed = await createRuntime({ store, agents })
      .cancel(driving.runId)
      .catch((error: unknown) => error)
    gate.resolve('ok')
    expect(followed).toMatchObject({ runId: driving.runId })
    await expect(readText(followed as Run)).rejects.toThrow('(cancelled)')
  })
})
