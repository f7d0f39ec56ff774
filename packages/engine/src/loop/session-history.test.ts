import { userMessage, type Message } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'

const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })

function setUp(clock = fakeClock()) {
  const model = scriptedModel(({ messages }) => `answer ${messages.length}`)
  const runtime = createRuntime({ clock, store: createMemoryStore(), agents: [defineAgent({ name: 'a', model })] })
  return { runtime, sent: () => model.requests.map(({ messages }) => messages.length) }
}

describe('a history with a session', () => {
  it('a client that sends the whole conversation with each request has no message twice', async () => {
    const { runtime, sent } = setUp()
    let history: readonly Message[] = []
    for (const text of ['one', 'two', 'three']) {
      const result = await runtime.invoke('a', text, { sessionId: 's', history })
      history = result.messages
    }
    expect(sent()).toEqual([1, 3, 5])
  })

  it('the history counts in a session without runs and in a run without a session', async () => {
    const { runtime, sent } = setUp()
    const history = [userMessage('before'), said('yes')]
    await runtime.invoke('a', 'go', { sessionId: 's', history })
    await runtime.invoke('a', 'go', { history })
    await createRuntime().invoke(defineAgent({ name: 'b', model: scriptedModel(['x']) }), 'go', {
      sessionId: 's',
      history,
    })
    expect(sent()).toEqual([3, 3])
  })

  it('a new session that replaces an idle one takes the history', async () => {
    const clock = fakeClock()
    const { runtime, sent } = setUp(clock)
    await runtime.invoke('a', 'one', { sessionId: 's' })
    await clock.advance(5)
    const history = [userMessage('one'), said('answer')]
    await runtime.invoke('a', 'two', { sessionId: 's', rotateAfterMs: 1, history })
    expect(sent()).toEqual([1, 3])
  })

  it('a rerun of a run that began with a history keeps it', async () => {
    const { runtime, sent } = setUp()
    const { runId } = await runtime.invoke('a', 'go', { sessionId: 's', history: [userMessage('zero'), said('yes')] })
    await (
      await runtime.rerun(runId)
    ).result
    expect(sent()).toEqual([3, 3])
  })
})
