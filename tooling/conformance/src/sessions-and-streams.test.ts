import { defineTool, messageText } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { isValidTranscript } from '@parley/engine/journal'
import { createMemoryStore } from '@parley/memory-store'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { assistant } from './__fixtures__/assistant.ts'

it.each([
  ['in memory', async () => createMemoryStore()],
  ['in SQLite', async () => openSqliteStore({ path: ':memory:' })],
])('5: each run of a session sees the earlier turns, with a store %s', async (_, open) => {
  await using store = await open()
  const model = scriptedModel(['One.', 'Two.', 'Three.'])
  const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model })], store })
  const { sessionId } = await runtime.run('a', 'first').result
  await runtime.run('a', 'second', { sessionId }).result
  await runtime.run('a', 'third', { sessionId }).result
  const sent = model.requests[2]?.messages.map(messageText)
  expect(sent).toEqual(['first', 'One.', 'second', 'Two.', 'third'])
})

it('6: a steering message joins after all results of the batch, and a follow-up gets its own turn and answer', async () => {
  const release = Promise.withResolvers<string>()
  const slow = defineTool({ name: 'slow', description: 'd', input: { type: 'object' }, execute: () => release.promise })
  const calls = { toolCalls: [{ name: 'slow' }, { name: 'slow' }] }
  const { run, sent, model } = assistant([calls, 'Steered.', 'Followed.'], { tools: [slow] })
  const running = run()
  for await (const event of running) if (event.type === 'tool.started') break
  await running.steer('be quick')
  await running.followUp('and then?')
  release.resolve('done')
  expect(await running.result).toMatchObject({ status: 'completed', text: 'Followed.', turns: 3 })
  expect(sent(1).slice(2)).toEqual(['done', 'done', 'be quick'])
  expect(sent(2).slice(-2)).toEqual(['Steered.', 'and then?'])
  for (const { messages } of model.requests) expect(isValidTranscript(messages)).toBe(true)
})

it('7: text reaches the reader before the model call ends', async () => {
  const gate = Promise.withResolvers<void>()
  const model = {
    provider: 'p',
    id: 'm',
    info: {},
    async *stream() {
      yield { type: 'text.delta', text: 'early' } as const
      await gate.promise
      yield { type: 'finish', reason: 'stop' } as const
    },
  }
  const run = createRuntime().run(defineAgent({ name: 'a', model }), 'go')
  // Only the delta opens the gate. A loop that waits for the whole answer would never end.
  for await (const event of run) if (event.type === 'text.delta') gate.resolve()
  expect(await run.result).toMatchObject({ status: 'completed', text: 'early' })
})

it('35: concurrent runs share no session, queue, usage or transcript', async () => {
  const { runtime } = assistant(({ messages }) => `heard ${messages.map(messageText).join('|')}`)
  const runs = Array.from({ length: 50 }, (_, index) => runtime.run('a', `m${index}`))
  await Promise.all(runs.map((run, index) => run.followUp(`f${index}`)))
  const results = await Promise.all(runs.map(run => run.orThrow()))
  expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(50)
  for (const [index, { messages, usage, text }] of results.entries()) {
    expect(text).toBe(`heard m${index}|heard m${index}|f${index}`)
    expect([messages.length, usage.input]).toEqual([4, 20])
  }
})
