import type { ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { isValidTranscript } from '../../index.ts'
import { setup } from '../../runtime/__fixtures__/set-up-agent.ts'

const call = (callId: string, name: string, text: string): ModelEvent => ({
  type: 'tool-call',
  callId,
  name,
  arguments: text,
})
const finish = (reason: 'stop' | 'tool-calls'): ModelEvent => ({ type: 'finish', reason })

/** What comes of a run whose model first says this, then something sensible. */
async function after(events: readonly unknown[]) {
  const given = setup([{ events: events as ModelEvent[] }, 'Better.'], { limits: { maxTurns: 5 } })
  const result = await given.run().result
  expect(isValidTranscript(result.messages)).toBe(true)
  for (const { messages } of given.model.requests) expect(isValidTranscript(messages)).toBe(true)
  return result
}

describe('a model that talks nonsense', () => {
  it('and says nothing at all has answered with nothing', async () => {
    expect(await after([finish('stop')])).toMatchObject({ status: 'completed', text: '', turns: 1 })
  })

  it('and stops for tools without calling one has answered', async () => {
    expect(await after([{ type: 'text.delta', text: 'Hm.' }, finish('tool-calls')])).toMatchObject({
      status: 'completed',
      text: 'Hm.',
    })
  })

  it('and calls tools without stopping for them gets their results', async () => {
    expect(await after([call('a', 'add', '{"a":1}'), finish('stop')])).toMatchObject({
      status: 'completed',
      text: 'Better.',
    })
  })

  it('and gives every call the same id, or none, gets one result for each', async () => {
    const calls = ['x', 'x', '', ''].map(id => call(id, 'add', '{"a":1}'))
    const { messages } = await after([...calls, finish('tool-calls')])
    expect(new Set(messages.flatMap(message => (message.role === 'tool' ? [message.callId] : []))).size).toBe(4)
  })

  it.each(['', ' ', 'no such tool', '\u0000', 'a'.repeat(10_000)])(
    'and calls a tool named %j is told which there are',
    async name => {
      const { messages, text } = await after([call('a', name, '{}'), finish('tool-calls')])
      expect(text).toBe('Better.')
      expect(JSON.stringify(messages[2])).toContain('Available tools: add.')
    },
  )

  it.each([
    ['10 MB of text in a field', `{"a":1,"x":"${'y'.repeat(10_000_000)}"}`],
    ['10 MB that are no JSON', `{"a":${'['.repeat(10_000_000)}`],
    ['10 MB of backslashes', `{"a":"${'\\'.repeat(10_000_001)}"}`],
    ['100,000 levels', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('and writes %s into the arguments is answered and goes on', async (_, text) => {
    expect(await after([call('a', 'add', text), finish('tool-calls')])).toMatchObject({
      status: 'completed',
      text: 'Better.',
    })
  })

  it('and goes on after its finish is not listened to any more', async () => {
    const said = [{ type: 'text.delta', text: 'Done.' }, finish('stop'), { type: 'text.delta', text: ' Or not.' }]
    expect((await after(said)).status).toBe('completed')
  })

  it.each([[[]], [[{ type: 'text.delta', text: 'Half' }]]])(
    'and ends without saying why fails the run: %j',
    async events => {
      expect(await after(events)).toMatchObject({ status: 'failed', error: { code: 'model-stream' } })
    },
  )
})
