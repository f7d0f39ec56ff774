import { createMemoryStore } from '@parley/memory-store'
import { defineTool, messageText, type Message } from '@parley/core'
import { createRuntime, defineAgent, type RunResult } from '@parley/engine'
import { scriptedModel, type ScriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { bestOf } from './index.ts'

const texts = (messages: readonly Message[] = []) => messages.map(messageText)
const usage = { input: 5, output: 5 }

function setup(answers: readonly string[] = ['short', 'a long answer'], store = createMemoryStore()) {
  const models = answers.map(text => scriptedModel(() => ({ text, usage: { input: 0, output: text.length } })))
  const host = scriptedModel(({ messages }) => ({ text: `seen ${messages.length}`, usage }))
  const agents = models.map((model, index) => defineAgent({ name: `c${index}`, model }))
  const runtime = createRuntime({ store, agents: [...agents, defineAgent({ name: 'host', model: host })] })
  const names = agents.map(({ name }) => name)
  const choose = (given = {}) =>
    bestOf(runtime, names, { input: 'And now?', strategy: 'most-elaborate', sessionId: 's', ...given })
  return { store, runtime, models, host, choose }
}

describe('bestOf in a session', () => {
  it('bestOf honours sessionId: candidates see the conversation of the session, and only the winner joins it', async () => {
    const { runtime, models, host, choose } = setup()
    await runtime.invoke('host', 'Hello.', { sessionId: 's' })
    expect(await choose()).toMatchObject({ status: 'selected', index: 1, winner: { text: 'a long answer' } })
    for (const { requests } of models) {
      expect(requests.map(({ messages }) => texts(messages))).toEqual([['Hello.', 'seen 1', 'And now?']])
    }
    const next = await runtime.invoke('host', 'Thanks.', { sessionId: 's' })
    const conversation = ['Hello.', 'seen 1', 'And now?', 'a long answer', 'Thanks.']
    expect(texts(host.requests.at(-1)?.messages)).toEqual(conversation)
    expect(texts(next.messages)).toEqual([...conversation, 'seen 5'])
    expect(await runtime.runs({ sessionId: 's' })).toHaveLength(3)
  })

  it('the winner begins a session that has no runs', async () => {
    const { runtime, models, choose } = setup()
    await choose({ scope: 'tenant' })
    expect(texts(models[0]?.requests[0]?.messages)).toEqual(['And now?'])
    const next = await runtime.invoke('host', 'Thanks.', { sessionId: 's', scope: 'tenant' })
    expect(texts(next.messages)).toEqual(['And now?', 'a long answer', 'Thanks.', 'seen 3'])
    expect(await runtime.runs({ sessionId: 's' })).toEqual([])
  })

  it('the usage of all candidates counts, and that of the conversation does not count again', async () => {
    const { runtime, choose } = setup()
    await runtime.invoke('host', 'Hello.', { sessionId: 's' })
    const { usage: spent } = await choose()
    expect(spent.candidates).toMatchObject({ input: 0, output: 'short'.length + 'a long answer'.length })
    const [joined] = await runtime.runs({ sessionId: 's' })
    expect(joined).toMatchObject({ status: 'completed', agent: 'c1', relation: 'branch' })
  })

  it('the session is as before if no candidate is chosen', async () => {
    const { runtime, choose } = setup()
    await runtime.invoke('host', 'Hello.', { sessionId: 's' })
    expect(await choose({ strategy: () => 7 })).toMatchObject({ status: 'failed' })
    expect(texts((await runtime.invoke('host', 'Hm.', { sessionId: 's' })).messages)).toHaveLength(4)
  })

  it('a crash in the middle leaves the session as it was, and the next bestOf chooses again', async () => {
    const { runtime, store, choose } = setup()
    await runtime.invoke('host', 'Hello.', { sessionId: 's' })
    // The process dies before it chooses: the candidates have journals, and no run has joined.
    void choose({ strategy: () => new Promise(() => {}) })
    while ((await store.runs({ scope: 'default', status: 'completed' })).length < 3) await Promise.resolve()
    const restarted = setup(['short', 'a long answer'], store)
    expect(await restarted.choose()).toMatchObject({ status: 'selected', index: 1 })
    const next = await restarted.runtime.invoke('host', 'Thanks.', { sessionId: 's' })
    expect(texts(next.messages)).toEqual(['Hello.', 'seen 1', 'And now?', 'a long answer', 'Thanks.', 'seen 5'])
  })

  it('the winner does not join a session that continued while the candidates ran', async () => {
    const { runtime, choose } = setup()
    await runtime.invoke('host', 'Hello.', { sessionId: 's' })
    let said: RunResult | undefined
    const strategy = async () => {
      said = await runtime.invoke('host', 'Never mind.', { sessionId: 's' })
      return 0
    }
    expect(await choose({ strategy })).toMatchObject({
      status: 'failed',
      error: { code: 'session-busy', sessionId: 's' },
      results: [{ status: 'completed' }, { status: 'completed' }],
    })
    expect((await runtime.runs({ sessionId: 's' }))[0]?.runId).toBe(said?.runId)
  })

  it('bestOf keeps the results of the candidates if the runtime has no store, and so no session to join', async () => {
    const runtime = createRuntime({ agents: [defineAgent({ name: 'c', model: scriptedModel(['a']) })] })
    const best = await bestOf(runtime, ['c'], { input: 'go', strategy: 'only-one', sessionId: 's' })
    expect(best).toMatchObject({ status: 'failed', error: { code: 'config-invalid' }, results: [{ text: 'a' }] })
  })

  it('bestOf rejects a session whose newest run is unfinished, and a host without sessions', async () => {
    const asks = defineTool({
      name: 'asks',
      description: 'd',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => '',
    })
    const model: ScriptedModel = scriptedModel([{ toolCalls: [{ name: 'asks' }] }])
    const { runtime, choose } = setup()
    await runtime.run(defineAgent({ name: 'asker', model, tools: [asks] }), 'go', { sessionId: 's' }).result
    await expect(choose()).rejects.toMatchObject({ info: { code: 'session-busy' } })
    const { run } = runtime
    const alone = bestOf({ run }, ['c0'], { input: 'go', strategy: 'first', sessionId: 's' })
    await expect(alone).rejects.toThrow('sessionId: requires a runtime')
  })
})
