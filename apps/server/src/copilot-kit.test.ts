import { CopilotKitCore, ɵInterruptState as InterruptState } from '@copilotkit/core'
import { scriptedModel, type Script } from '@parley/testing'
import { HttpAgent } from 'ag-ui-client-of-copilotkit'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { covers } from './__fixtures__/client-cells.ts'
import { openTestServer } from './__fixtures__/open-test-server.ts'

const scope = 'default'
const loop: Script = [{ text: 'Let me look. ', toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] }, 'Sunny.']

type Kit = NonNullable<ConstructorParameters<typeof CopilotKitCore>[0]>

/** The core of CopilotKit, whose agent is the server. The core's React components and its runtime use the same agent class. */
function openKit(url: string, options: Pick<Kit, 'tools' | 'headers'> = {}) {
  const agent = new HttpAgent({ url: `${url}/ag-ui`, threadId: 'thread-1', agentId: 'guide' })
  const core = new CopilotKitCore({ agents__unsafe_dev_only: { guide: agent }, ...options })
  const errors: string[] = []
  core.subscribe({ onError: ({ error }) => void errors.push(error.message) })
  const send = async (id: string, content = 'Go.'): Promise<unknown> => {
    agent.addMessage({ id, role: 'user', content })
    await core.runAgent({ agent })
    return answerOf()
  }
  const answerOf = (): unknown => agent.messages.findLast(({ role }) => role === 'assistant')?.content
  return { agent, core, errors, send, answerOf }
}

/** What `useInterrupt` of CopilotKit does: it keeps the interrupts of a run, and sends the user's answers. */
async function answerInterrupts(
  { agent, core }: ReturnType<typeof openKit>,
  run: () => Promise<unknown>,
  payload: object,
) {
  const state = new InterruptState()
  const { unsubscribe } = agent.subscribe({
    onRunFinishedEvent: ({ event }) => {
      const { outcome } = event as { outcome?: { type: string; interrupts?: never[] } }
      if (outcome?.type === 'interrupt') state.setStandard(outcome.interrupts ?? [])
    },
  })
  await run()
  unsubscribe()
  const { pending } = state
  const action = state.resolve(payload)
  if (action.kind !== 'resume') throw new Error(`the interrupt is ${action.kind}`)
  for (const { toolCallId, content } of action.toolResults)
    agent.addMessage({ id: `${toolCallId}-answer`, role: 'tool', toolCallId, content })
  await core.runAgent({ agent, resume: action.resume })
  return pending
}

describe('CopilotKit', () => {
  it('CopilotKit shows an answer while it is written', covers('CopilotKit: stream'), async () => {
    await using served = await openTestServer({ script: ['The quick brown fox jumps.'] })
    const kit = openKit(served.url)
    const texts: string[] = []
    kit.agent.subscribe({ onTextMessageContentEvent: ({ event }) => void texts.push(event.delta) })
    expect(await kit.send('q')).toBe('The quick brown fox jumps.')
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('')).toBe('The quick brown fox jumps.')
    expect(kit.errors).toEqual([])
  })

  it('CopilotKit shows the calls of the agent and their results', covers('CopilotKit: tools'), async () => {
    await using served = await openTestServer({ script: loop })
    const kit = openKit(served.url)
    expect(await kit.send('q')).toBe('Sunny.')
    const calls = kit.agent.messages.flatMap(each => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    expect(calls).toMatchObject([{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }])
    expect(kit.agent.messages.find(({ role }) => role === 'tool')).toMatchObject({ content: 'sunny' })
  })

  it(
    'CopilotKit executes its frontend tools, and their results continue one run',
    covers('CopilotKit: client tools'),
    async () => {
      const turns = ['Bern', 'Rome'].map(of => ({ toolCalls: [{ name: 'locate', input: { of } }] }))
      await using served = await openTestServer({ script: [...turns, 'Bern is north of Rome.'] })
      const asked: unknown[] = []
      const locate = {
        name: 'locate',
        description: 'Locates.',
        parameters: z.object({ of: z.string() }),
        handler: async ({ of }: Record<string, unknown>) => `the position of ${String(of)}: ${asked.push(of)}`,
      }
      const kit = openKit(served.url, { tools: [locate] })
      expect(await kit.send('q', 'Which is north?')).toBe('Bern is north of Rome.')
      expect(asked).toEqual(['Bern', 'Rome'])
      expect(kit.errors).toEqual([])
      expect(await served.runtime.runs()).toMatchObject([{ status: 'completed' }])
    },
  )

  it.each([
    [true, { approved: true }, 'paid'],
    [false, { approved: false, reason: 'too dear' }, 'too dear'],
  ])(
    'CopilotKit answers an interrupt with approved: %s, and the run continues',
    covers('CopilotKit: approval yes', 'CopilotKit: approval no'),
    async (_, payload, words) => {
      const script: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Done.', 'Hello again.']
      const model = scriptedModel(script)
      await using served = await openTestServer({ agent: { model } })
      const kit = openKit(served.url)
      const pending = await answerInterrupts(kit, () => kit.send('q'), payload)
      expect(pending).toMatchObject({
        interrupts: [{ reason: 'tool_call', metadata: { tool: 'pay', input: { sum: 3 } } }],
      })
      expect(kit.answerOf()).toBe('Done.')
      expect(JSON.stringify(model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool'))).toContain(words)
      expect(await kit.send('q2')).toBe('Hello again.')
      expect(kit.errors).toEqual([])
      expect((await served.runtime.runs()).map(({ status }) => status)).toEqual(['completed', 'completed'])
    },
  )

  it(
    'stopAgent of CopilotKit cancels the run, and the next message is answered',
    covers('CopilotKit: stop'),
    async () => {
      await using served = await openTestServer({
        script: [{ text: 'The quick brown fox', hang: true }, 'Hello again.'],
      })
      const kit = openKit(served.url)
      kit.agent.subscribe({
        onTextMessageContentEvent: ({ textMessageBuffer, event }) => {
          if (`${textMessageBuffer}${event.delta}`.endsWith('fox')) kit.core.stopAgent({ agent: kit.agent })
        },
      })
      await kit.send('q')
      expect(await kit.send('q2')).toBe('Hello again.')
      const statuses = (await served.store.runs({ scope })).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(['cancelled', 'completed'])
    },
  )

  it(
    'a page of CopilotKit that sends the run again reads the answer that is being written',
    covers('CopilotKit: resume'),
    async () => {
      const until = Promise.withResolvers<void>()
      const script: Script = [{ toolCalls: [{ name: 'weather' }] }, { text: 'Sunny.', until: until.promise }]
      await using served = await openTestServer({ script, onDisconnect: { 'ag-ui': 'continue' } })
      const open = () => {
        const kit = openKit(served.url, { headers: { 'idempotency-key': 'run-1' } })
        kit.agent.addMessage({ id: 'q', role: 'user', content: 'Go.' })
        return { ...kit, run: () => kit.core.runAgent({ agent: kit.agent, runId: 'run-1' }) }
      }
      const before = open()
      before.agent.subscribe({ onToolCallResultEvent: () => before.agent.abortRun() })
      await before.run()
      const after = open()
      const again = after.run()
      until.resolve()
      await again
      expect(after.answerOf()).toBe('Sunny.')
      expect(await served.store.runs({ scope })).toMatchObject([{ status: 'completed' }])
    },
  )

  it(
    'CopilotKit regenerates an answer: the model does not read the first one',
    covers('CopilotKit: regenerate'),
    async () => {
      const model = scriptedModel(['One.', 'Two.', 'Three.', 'Four.'])
      await using served = await openTestServer({ agent: { model } })
      const kit = openKit(served.url)
      await kit.send('q1', 'a')
      await kit.send('q2', 'b')
      // The components of CopilotKit cut the messages after the last message of the user, and run the agent.
      const { messages } = kit.agent
      kit.agent.setMessages(messages.slice(0, messages.findIndex(({ id }) => id === 'q2') + 1))
      await kit.core.runAgent({ agent: kit.agent })
      expect(kit.answerOf()).toBe('Three.')
      expect(await kit.send('q3', 'c')).toBe('Four.')
      const read = model.requests.map(request =>
        JSON.stringify(request.messages)
          .match(/[a-c](?=")|One|Two|Three/g)
          ?.join(' '),
      )
      expect(read).toEqual(['a', 'a One b', 'a One b', 'a One b Three c'])
    },
  )

  it('CopilotKit reports the failure of a run and does not repeat it', covers('CopilotKit: failure'), async () => {
    const { ledger, ...options } = bookingAgent(() => ({ error: overloaded }))
    await using served = await openTestServer(options)
    const kit = openKit(served.url)
    await kit.send('q')
    expect(kit.errors).toEqual([expect.stringMatching(/overloaded/i)])
    await vi.waitFor(
      async () => expect(await served.store.runs({ scope })).toMatchObject([{ status: 'failed' }]),
      30_000,
    )
    expect(ledger).toHaveLength(1)
  })
})
