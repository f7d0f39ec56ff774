import { createMemoryStore } from '@parley/memory-store'
import { slidingWindow } from '@parley/context-policies'
import { defineMiddleware, defineTool, userMessage, type EntryOf, type RunEvent, type RunEventOf } from '@parley/core'
import { scriptedModel, type Script } from '@parley/testing'
import { expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Agent, type RunOptions, type RuntimeOptions } from '../../index.ts'
import { restoreRequest } from '../../journal.ts'

const overloaded = { code: 'model-overloaded', provider: 'p', detail: '' } as const
const look = defineTool({ name: 'look', description: 'd', input: { type: 'object' }, execute: () => 'seen' })
const calling = { toolCalls: [{ name: 'look' }] }

function setUp(script: Script, agent: Partial<Agent> = {}, options: RuntimeOptions = {}) {
  const model = scriptedModel(script)
  const store = createMemoryStore()
  const agents = [defineAgent({ name: 'a', model, tools: [look], instructions: 'Be brief.', ...agent })]
  const runtime = createRuntime({ agents, store, ...options })
  async function play(run: RunOptions = {}) {
    const events: RunEvent[] = []
    const going = runtime.run('a', 'go', run)
    for await (const event of going) events.push(event)
    const { runId } = going
    const transcript = await runtime.transcript(runId)
    const kept = (await store.read(runId)).filter(entry => entry.type === 'request.kept')
    return { events, shown: events.filter(isRequest), kept: kept as EntryOf<'request.kept'>[], transcript }
  }
  return { model, store, runtime, play }
}
const isRequest = (event: RunEvent): event is RunEventOf<'model.request'> => event.type === 'model.request'

it('captureRequests show emits each request once per turn with the positions of its messages', async () => {
  const { model, play } = setUp([calling, 'Done.'], {}, { captureRequests: 'show' })
  const { events, shown, kept } = await play()
  expect(shown.map(({ request }) => request)).toEqual(model.requests)
  expect(shown.map(({ turn, view }) => [turn, view])).toEqual([
    [1, [{ type: 'kept', from: 0, to: 1 }]],
    [2, [{ type: 'kept', from: 0, to: 3 }]],
  ])
  expect(shown[0]?.request).toMatchObject({ system: [{ text: 'Be brief.' }], tools: [{ name: 'look' }] })
  const types = events.map(({ type }) => type)
  expect(types.indexOf('model.request')).toBeLessThan(types.indexOf('model.called'))
  expect(kept).toEqual([])
})

it('captureRequests show emits one request per turn despite retries of the provider or a middleware', async () => {
  const again = defineMiddleware('again', () => ({
    async *model(call, next) {
      for await (const _event of next(call)) break
      yield* next(call)
    },
  }))
  const retried = {
    events: [
      { type: 'retry' as const, attempt: 1, delayMs: 1, error: overloaded },
      { type: 'text.delta' as const, text: 'Done.' },
      { type: 'finish' as const, reason: 'stop' as const },
    ],
  }
  const { model, play } = setUp(() => retried, { middleware: [again] })
  const { shown } = await play({ captureRequests: 'show' })
  expect(model.requests).toHaveLength(2)
  expect(shown).toHaveLength(1)
})

it('a captured request is the one that the last middleware passed on, and a skipped call has none', async () => {
  const changed = userMessage('changed')
  const rewrites = defineMiddleware('rewrites', () => ({
    model: (call, next) => next({ ...call, request: { ...call.request, messages: [changed] } }),
  }))
  const { shown } = await setUp(['x'], { middleware: [rewrites] }, { captureRequests: 'show' }).play()
  expect(shown[0]).toMatchObject({ request: { messages: [changed] }, view: [{ type: 'written', messages: [changed] }] })

  const answers = defineMiddleware('answers', () => ({
    async *model() {
      yield { type: 'text.delta' as const, text: 'Known.' }
      yield { type: 'finish' as const, reason: 'stop' as const }
    },
  }))
  const answered = await setUp(['x'], { middleware: [answers] }, { captureRequests: 'keep' }).play()
  expect([answered.shown, answered.kept]).toEqual([[], []])
})

it('captureRequests keep journals each request before it is sent, and restoreRequest restores it', async () => {
  let atCall: readonly string[] = []
  const { model, store, play } = setUp(
    (_request, index) => {
      void store.runs({ scope: 'default' }).then(async ([run]) => {
        atCall = (await store.read(run?.runId ?? '')).map(({ type }) => type)
      })
      return index < 3 ? calling : 'Done.'
    },
    { context: slidingWindow({ maxMessages: 4 }), settings: { temperature: 0.5 } },
  )
  const { kept, shown, transcript } = await play({ captureRequests: 'keep' })
  expect(kept.map(entry => restoreRequest(entry, transcript))).toEqual(model.requests)
  expect(shown).toHaveLength(4)
  expect(atCall.at(-1)).toBe('request.kept')
  expect(kept.at(-1)?.view).not.toEqual([{ type: 'kept', from: 0, to: 7 }])
})

it('child runs are captured like their parent run', async () => {
  const child = defineAgent({ name: 'child', model: scriptedModel(['Hi.']) })
  const script = [{ toolCalls: [{ name: 'child', input: { task: 't' } }] }, 'Done.']
  const { play } = setUp(script, { tools: [agentTool(child)] })
  const { shown } = await play({ captureRequests: 'show' })
  expect(shown.map(({ path }) => path.length > 0)).toEqual([false, true, false])
})

it('by default no request is captured, and a run’s option overrides the runtime’s', async () => {
  expect((await setUp(['x']).play()).shown).toEqual([])
  const { play } = setUp(() => 'x', {}, { captureRequests: 'keep' })
  const { shown, kept } = await play({ captureRequests: 'none' })
  expect([shown, kept]).toEqual([[], []])
})

it('an invalid captureRequests is rejected with config-invalid', () => {
  const wrong = 'all' as 'keep'
  expect(() => setUp(['x'], {}, { captureRequests: wrong })).toThrow(
    "captureRequests: is 'all'; must be none, show or keep",
  )
  expect(() => setUp(['x']).runtime.run('a', 'go', { captureRequests: wrong })).toThrow("captureRequests: is 'all'")
})
