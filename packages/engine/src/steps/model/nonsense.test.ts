import type { ModelEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { isValidTranscript } from '../../journal.ts'
import { setup } from '../../runtime/__fixtures__/set-up-agent.ts'

const call = (callId: string, name: string, text: string): ModelEvent => ({
  type: 'tool-call',
  callId,
  name,
  arguments: text,
})
const finish = (reason: 'stop' | 'tool-calls'): ModelEvent => ({ type: 'finish', reason })

/** The result of a run whose model first sends these events and then a sensible answer. */
async function after(events: readonly unknown[]) {
  const given = setup([{ events: events as ModelEvent[] }, 'Better.'], { limits: { maxTurns: 5 } })
  const result = await given.run().result
  expect(isValidTranscript(result.messages)).toBe(true)
  for (const { messages } of given.model.requests) expect(isValidTranscript(messages)).toBe(true)
  return result
}

describe('a model with nonsensical answers', () => {
  it('an empty answer completes the run with an empty text', async () => {
    expect(await after([finish('stop')])).toMatchObject({ status: 'completed', text: '', turns: 1 })
  })

  it('an answer that stops for tools without a call completes the run', async () => {
    expect(await after([{ type: 'text.delta', text: 'Hm.' }, finish('tool-calls')])).toMatchObject({
      status: 'completed',
      text: 'Hm.',
    })
  })

  it('calls in an answer that stops normally still run', async () => {
    expect(await after([call('a', 'add', '{"a":1}'), finish('stop')])).toMatchObject({
      status: 'completed',
      text: 'Better.',
    })
  })

  it('calls with repeated or empty ids get one result each', async () => {
    const calls = ['x', 'x', '', ''].map(id => call(id, 'add', '{"a":1}'))
    const { messages } = await after([...calls, finish('tool-calls')])
    expect(new Set(messages.flatMap(message => (message.role === 'tool' ? [message.callId] : []))).size).toBe(4)
  })

  it.each(['', ' ', 'no such tool', '\u0000', 'a'.repeat(10_000)])(
    'a call of the unknown tool %j returns the available tools',
    async name => {
      const { messages, ...rest } = await after([call('a', name, '{}'), finish('tool-calls')])
      expect(rest).toMatchObject({ text: 'Better.' })
      expect(JSON.stringify(messages[2])).toContain('Available tools: add.')
    },
  )

  it.each([
    ['10 MB of text in a field', `{"a":1,"x":"${'y'.repeat(10_000_000)}"}`],
    ['10 MB of invalid JSON', `{"a":${'['.repeat(10_000_000)}`],
    ['10 MB of backslashes', `{"a":"${'\\'.repeat(10_000_001)}"}`],
    ['100,000 levels', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('a call with %s in its arguments returns an error, and the run continues', async (_, text) => {
    expect(await after([call('a', 'add', text), finish('tool-calls')])).toMatchObject({
      status: 'completed',
      text: 'Better.',
    })
  })

  it('events after the finish of an answer are ignored', async () => {
    const said = [{ type: 'text.delta', text: 'Done.' }, finish('stop'), { type: 'text.delta', text: ' Or not.' }]
    expect((await after(said)).status).toBe('completed')
  })

  it.each([[[]], [[{ type: 'text.delta', text: 'Half' }]]])(
    'a stream that ends without a finish fails the run: %j',
    async events => {
      expect(await after(events)).toMatchObject({ status: 'failed', error: { code: 'model-stream' } })
    },
  )
})
