import { HttpAgent } from '@ag-ui/client'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { createTestApp, openTestServer } from './__fixtures__/open-test-server.ts'

/** An AG-UI client and a model that numbers its answers. */
async function openThread() {
  const model = scriptedModel((_, index) => `answer ${index + 1}`)
  const served = await openTestServer({ agent: { model } })
  const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 'thread-1' })
  const run = async (): Promise<unknown> => {
    await agent.runAgent()
    return agent.messages.at(-1)?.content
  }
  return {
    ...served,
    agent,
    run,
    send(id: string, content = id) {
      agent.addMessage({ id, role: 'user', content })
      return run()
    },
    /** Removes the messages after one, as clients do before they ask for another answer. */
    cutAfter(id: string) {
      agent.setMessages(agent.messages.slice(0, agent.messages.findIndex(each => each.id === id) + 1))
    },
    /** The texts that the model has read last. */
    read: () =>
      (model.requests.at(-1)?.messages ?? [])
        .map(({ content }) => (content as { text?: string }[])[0]?.text)
        .join(', '),
    relations: async () => (await served.runtime.session('thread-1')).map(({ relation }) => relation),
  }
}

describe('an AG-UI client whose user wants another answer', () => {
  it(
    'a message that is sent again replaces its answer, and the thread continues from the new one',
    covers('AG-UI client: regenerate'),
    async () => {
      await using thread = await openThread()
      await thread.send('one')
      await thread.send('two')
      thread.cutAfter('two')
      expect(await thread.run()).toBe('answer 3')
      expect(thread.read()).toBe('one, answer 1, two')
      thread.cutAfter('two')
      await thread.run()
      expect(thread.read()).toBe('one, answer 1, two')
      await thread.send('three')
      expect(thread.read()).toBe('one, answer 1, two, answer 4, three')
      expect(await thread.relations()).toEqual(['initial', 'continue', 'rerun', 'rerun', 'continue'])
    },
  )

  it('the answer to the first message of a longer thread is replaced', async () => {
    await using thread = await openThread()
    await thread.send('one')
    await thread.send('two')
    thread.cutAfter('one')
    await thread.run()
    expect(thread.read()).toBe('one')
    await thread.send('three')
    expect(thread.read()).toBe('one, answer 3, three')
  })

  it('a client that sends each message alone under one id continues the thread', async () => {
    await using thread = await openThread()
    thread.agent.setMessages([])
    await thread.send('q', 'first')
    thread.agent.setMessages([])
    await thread.send('q', 'second')
    expect(thread.read()).toBe('first, answer 1, second')
    expect(await thread.relations()).toEqual(['initial', 'continue'])
  })

  it('a message that follows the newest answer lists no earlier run', async () => {
    const { send, store } = createTestApp({ script: ['One.', 'Two.', 'Three.'] })
    const limits: (number | undefined)[] = []
    const { runs } = store
    store.runs = (query, ...rest) => {
      limits.push(query.limit)
      return runs.call(store, query, ...rest)
    }
    const messages: object[] = []
    for (const id of ['one', 'two', 'three']) {
      messages.push({ id, role: 'user', content: id })
      const stream = await (await send('/ag-ui', { json: { threadId: 't', runId: id, messages } })).text()
      messages.push({ id: /"messageId":"([^"]+)"/.exec(stream)?.[1], role: 'assistant', content: 'x' })
    }
    expect(new Set(limits)).toEqual(new Set([1]))
    await (await send('/ag-ui', { json: { threadId: 't', runId: 'four', messages: messages.slice(0, 3) } })).text()
    expect(limits).toContain(100)
  })
})

describe('an AG-UI client that loses its connection', () => {
  it(
    'a client that sends its run again with the same key reads the answer that is being written',
    covers('AG-UI client: resume'),
    async () => {
      const until = Promise.withResolvers<void>()
      const script: Script = [{ toolCalls: [{ name: 'weather' }] }, { text: 'Sunny.', until: until.promise }]
      await using served = await openTestServer({ script, onDisconnect: { 'ag-ui': 'continue' } })
      const open = () => {
        const headers = { 'idempotency-key': 'run-1' }
        const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 't', headers })
        agent.addMessage({ id: 'q', role: 'user', content: 'Weather?' })
        return agent
      }
      const before = open()
      const lost = before.runAgent({ runId: 'run-1' }, { onToolCallResultEvent: () => before.abortRun() })
      await lost.catch((error: unknown) => expect(String(error)).toMatch(/abort/i))
      const after = open()
      const again = after.runAgent({ runId: 'run-1' })
      until.resolve()
      await again
      expect(after.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
      expect(after.messages.at(-1)).toMatchObject({ content: 'Sunny.' })
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )
})
