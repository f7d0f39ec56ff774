import { defineMiddleware, defineTool, messageText, type ModelRequest, type RunEvent } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { isValidTranscript } from '../journal.ts'
import { createMemoryStore } from '@parley/memory-store'

const RUNS = 1_000

/** Asks for its own number twice and then repeats it. It knows only what it is sent. */
function answer({ messages }: ModelRequest) {
  const [first] = messages
  const number = first === undefined ? '' : messageText(first)
  const results = messages.filter(message => message.role === 'tool').map(messageText)
  if (results.length === 2) return `${number} got ${results.join(' and ')}`
  return { text: `${number}…`, toolCalls: [{ name: 'look', input: { number, round: results.length } }] }
}

it('a thousand concurrent runs share nothing', async () => {
  const kept = defineMiddleware('kept', ({ runId }) => {
    let turns = 0
    return {
      beforeTurn() {
        turns += 1
      },
      event: event => {
        if (event.runId !== runId) throw new Error('told of another run')
        if (event.type === 'run.ended') expect(turns).toBe(3)
      },
    }
  })
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: {
      type: 'object',
      properties: { number: { type: 'string' }, round: { type: 'integer' } },
      required: ['number', 'round'],
    },
    async execute(input, { run }) {
      const { number, round } = input as { number: string; round: number }
      await new Promise(resolve => setImmediate(resolve))
      return `${number}.${round} of ${run.sessionId}`
    },
  })
  const store = createMemoryStore()
  const agent = defineAgent({ name: 'a', model: scriptedModel(answer), tools: [look], middleware: [kept] })
  const runtime = createRuntime({ agents: [agent], store })
  const results = await Promise.all(
    Array.from({ length: RUNS }, async (_, number) => {
      const run = runtime.run('a', `n${number}`, { sessionId: `s${number}` })
      const events: RunEvent[] = []
      for await (const event of run) events.push(event)
      return { events, result: await run.orThrow() }
    }),
  )
  for (const [number, { events, result }] of results.entries()) {
    const own = `n${number}.`
    expect(result.text).toBe(`n${number} got ${own}0 of s${number} and ${own}1 of s${number}`)
    expect(result).toMatchObject({ status: 'completed', turns: 3, sessionId: `s${number}` })
    expect(isValidTranscript(result.messages)).toBe(true)
    expect(new Set(events.map(event => event.runId))).toEqual(new Set([result.runId]))
    expect(events.filter(event => event.type === 'middleware.failed')).toEqual([])
    const entries = await store.read(result.runId)
    expect(entries.map(entry => entry.seq)).toEqual(entries.map((_, index) => index + 1))
  }
  expect(new Set(results.map(({ result }) => result.runId)).size).toBe(RUNS)
  expect(await runtime.close()).toMatchObject({ exitCode: 0 })
})
