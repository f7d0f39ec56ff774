import { messageText, type Message, type TurnTrigger } from '@parley/core'
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { slidingWindow } from '@parley/context-policies'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { callEcho, setup } from '../__fixtures__/set-up-agent.ts'
import { hooks, type Hooks, type Session } from './index.ts'

const texts = (messages: readonly Message[]): string[] => messages.map(messageText)

function inStore(given: Hooks, answers = ['One.', 'Two.', 'Three.']) {
  const agent = defineAgent({ name: 'a', model: scriptedModel(answers), middleware: [hooks(given)] })
  const runtime = createRuntime({ agents: [agent], store: createMemoryStore() })
  return { runtime, run: (input: string, sessionId?: string) => runtime.run('a', input, { sessionId }).result }
}

describe('the transcript in hooks', () => {
  it('the hooks before and after a run and a turn receive the transcript of their moment', async () => {
    const seen: unknown[] = []
    const { run } = setup(
      [callEcho('a'), 'Done.'],
      [
        hooks({
          beforeRun: (_, { messages }) => void seen.push(['beforeRun', texts(messages)]),
          beforeTurn: (_, { messages }) => void seen.push(['beforeTurn', texts(messages)]),
          afterTurn: (_, { messages }) => void seen.push(['afterTurn', texts(messages)]),
          afterRun: (_, { messages }) => void seen.push(['afterRun', texts(messages)]),
        }),
      ],
    )
    await run().result
    expect(seen).toEqual([
      ['beforeRun', ['go']],
      ['beforeTurn', ['go']],
      ['afterTurn', ['go', '', 'a']],
      ['beforeTurn', ['go', '', 'a']],
      ['afterTurn', ['go', '', 'a', 'Done.']],
      ['afterRun', ['go', '', 'a', 'Done.']],
    ])
  })

  it('a transcript that a hook keeps does not change, and a hook cannot change the transcript of the run', async () => {
    const kept: (readonly Message[])[] = []
    const { run } = setup(
      [callEcho('a'), 'Done.'],
      [
        hooks({
          beforeTurn: (_, { messages }) => void kept.push(messages),
          afterTurn: (_, { messages }) => {
            expect(() => (messages as Message[]).push({ role: 'user', content: [] })).toThrow(TypeError)
          },
          afterRun: (_, { messages }) => void (messages as Message[]).splice(0),
        }),
      ],
    )
    const { messages } = await run().result
    expect(messages).toHaveLength(4)
    expect(kept.map(({ length }) => length)).toEqual([1, 3])
  })

  it('a turn makes its list of messages once, and only when a hook reads it', async () => {
    const lists = new Set<readonly Message[]>()
    const reading = hooks({ beforeTurn: (_, turn) => void lists.add(turn.messages).add(turn.messages) })
    await setup(['x'], [reading, reading]).run().result
    expect(lists.size).toBe(1)
    let descriptor: PropertyDescriptor | undefined
    const looking = hooks({
      beforeTurn: (_, turn) =>
        void (descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(turn), 'messages')),
    })
    await setup(['x'], [looking]).run().result
    expect(descriptor?.get).toBeTypeOf('function')
  })

  it('afterRun receives the messages of the run and those of the whole session', async () => {
    const seen: unknown[] = []
    const { run } = inStore({ afterRun: (_, end) => void seen.push([texts(end.newMessages), end.messages.length]) })
    const { sessionId } = await run('first')
    await run('second', sessionId)
    expect(seen).toEqual([
      [['first', 'One.'], 2],
      [['second', 'Two.'], 4],
    ])
  })
})

describe('the session in hooks', () => {
  it('beforeSession and afterSession receive the session', async () => {
    const seen: unknown[] = []
    const note = (name: string, { sessionId, scope, runs, messages }: Session): void =>
      void seen.push([name, sessionId, scope, runs, texts(messages)])
    const { run } = inStore({
      beforeSession: (_, session) => note('before', session),
      afterSession: (_, session) => note('after', session),
    })
    await run('first', 's')
    await run('second', 's')
    expect(seen).toEqual([
      ['before', 's', 'default', 1, ['first']],
      ['after', 's', 'default', 1, ['first', 'One.']],
      ['after', 's', 'default', 2, ['first', 'One.', 'second', 'Two.']],
    ])
  })

  it('beforeSession runs for a new session that begins with a history', async () => {
    let begun = 0
    const { runtime } = inStore({ beforeSession: () => void begun++ })
    const history: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }], model: 'm', finish: 'stop' },
    ]
    await runtime.run('a', 'go', { history }).result
    expect(begun).toBe(1)
  })
})

describe('the trigger of a turn', () => {
  it('the first turn of a run has the trigger user, and that of a child run has the trigger sub-agent', async () => {
    const seen: [string, TurnTrigger][] = []
    const watching = hooks({ beforeTurn: ({ agent }, { trigger }) => void seen.push([agent, trigger]) })
    const child = defineAgent({ name: 'child', model: scriptedModel(['Found.']), middleware: [watching] })
    const model = scriptedModel([{ toolCalls: [{ name: 'child', input: { task: 'look' } }] }, 'Done.'])
    const lead = defineAgent({ name: 'lead', model, tools: [agentTool(child)], middleware: [watching] })
    await createRuntime().run(lead, 'go').result
    expect(seen).toEqual([
      ['lead', 'user'],
      ['child', 'sub-agent'],
      ['lead', 'tools'],
    ])
  })

  it('a turn that continues a truncated answer has the trigger engine before and after it', async () => {
    const seen: TurnTrigger[] = []
    const stages = {
      beforeTurn: ({ trigger }: { trigger: TurnTrigger }) => void seen.push(trigger),
      afterTurn: ({ trigger }: { trigger: TurnTrigger }) => void seen.push(trigger),
    }
    const script = [{ text: 'Half', finish: 'length' }, 'Rest.'] as const
    await setup([...script], [{ name: 'w', begin: () => stages }], { onTruncated: 'continue' }).run().result
    expect(seen).toEqual(['user', 'user', 'engine', 'engine'])
  })
})

it('afterCompaction receives the number of messages and of tokens before and after a compaction', async () => {
  const seen: number[][] = []
  const usage = { input: 1_000 }
  const { run } = setup(
    [{ ...callEcho('a'), usage }, { ...callEcho('b'), usage }, 'x'],
    [hooks({ afterCompaction: (...sizes) => void seen.push(sizes) })],
    { context: slidingWindow({ maxMessages: 3 }) },
  )
  await run().result
  const [messagesBefore = 0, messagesAfter = 0, tokensBefore = 0, tokensAfter = 0] = seen[0] ?? []
  expect([messagesBefore, messagesAfter]).toEqual([5, 3])
  expect(tokensBefore).toBeGreaterThan(tokensAfter)
  expect(tokensAfter).toBeGreaterThan(0)
})
