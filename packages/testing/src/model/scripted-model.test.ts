import { ParleyError, type ModelEvent, type ModelRequest } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { scriptedModel, type ScriptedModel } from './scripted-model.ts'

const request: ModelRequest = { system: [], messages: [], tools: [], settings: {} }

async function ask(model: ScriptedModel, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(request, { signal })) events.push(event)
  return events
}

/** The events that came before the stream threw, and what it threw. */
async function askUntilFailure(model: ScriptedModel, signal?: AbortSignal) {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(request, { signal })) events.push(event)
  } catch (error) {
    return { events, error }
  }
  throw new Error('the stream ended without a failure')
}

const usage = { input: 10, output: 5, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

describe('scriptedModel', () => {
  it('streams reasoning, then text, then its tokens, and finishes', async () => {
    const model = scriptedModel([{ reasoning: 'hmm', text: 'abcde', chunkSize: 2 }])
    expect(await ask(model)).toEqual([
      { type: 'reasoning.delta', text: 'hm' },
      { type: 'reasoning.delta', text: 'm' },
      { type: 'text.delta', text: 'ab' },
      { type: 'text.delta', text: 'cd' },
      { type: 'text.delta', text: 'e' },
      { type: 'usage', usage },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('takes a string for a text answer, in deltas of 8 characters', async () => {
    const events = await ask(scriptedModel(['123456789']))
    expect(events.slice(0, 2)).toEqual([
      { type: 'text.delta', text: '12345678' },
      { type: 'text.delta', text: '9' },
    ])
  })

  it('writes tool calls as a model does, with ids counted over its life', async () => {
    const model = scriptedModel([
      { toolCalls: [{ name: 'search', input: { query: 'a' } }, { name: 'list' }] },
      {
        toolCalls: [
          { name: 'list', arguments: '{"a":' },
          { name: 'list', callId: 'own' },
        ],
        finish: 'length',
      },
    ])
    expect(await ask(model)).toEqual([
      { type: 'tool-call.start', callId: 'call_1', name: 'search' },
      { type: 'tool-call.delta', callId: 'call_1', delta: '{"query":"a"}' },
      { type: 'tool-call', callId: 'call_1', name: 'search', arguments: '{"query":"a"}' },
      { type: 'tool-call.start', callId: 'call_2', name: 'list' },
      { type: 'tool-call.delta', callId: 'call_2', delta: '{}' },
      { type: 'tool-call', callId: 'call_2', name: 'list', arguments: '{}' },
      { type: 'usage', usage },
      { type: 'finish', reason: 'tool-calls' },
    ])
    const second = await ask(model)
    expect(second.filter(event => event.type === 'tool-call')).toEqual([
      { type: 'tool-call', callId: 'call_3', name: 'list', arguments: '{"a":' },
      { type: 'tool-call', callId: 'own', name: 'list', arguments: '{}' },
    ])
    expect(second.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it('counts the tokens it is told to', async () => {
    const events = await ask(scriptedModel([{ text: 'a', usage: { output: 7, cacheRead: 3 } }]))
    expect(events).toContainEqual({ type: 'usage', usage: { ...usage, output: 7, cacheRead: 3 } })
  })

  it('sends raw events as they are, and nothing besides', async () => {
    const events: ModelEvent[] = [{ type: 'text.end' }, { type: 'finish', reason: 'refusal' }]
    expect(await ask(scriptedModel([{ events, text: 'ignored' }]))).toEqual(events)
  })

  it('ends without a finish when told to', async () => {
    expect(await ask(scriptedModel([{ text: 'a', finish: 'none' }]))).toEqual([
      { type: 'text.delta', text: 'a' },
      { type: 'usage', usage },
    ])
  })

  it('remembers what it was asked, and shows a function the request and its number', async () => {
    const seen: unknown[] = []
    const model = scriptedModel((asked, index) => {
      seen.push([asked, index])
      return `answer ${index}`
    })
    await ask(model)
    await ask(model)
    expect(model.requests).toEqual([request, request])
    expect(model.requests[0]).toBe(request)
    expect(seen).toEqual([
      [request, 0],
      [request, 1],
    ])
  })

  it('fails as a provider would when it is asked more often than the script is long', async () => {
    const model = scriptedModel(['once'], { provider: 'acme', id: 'm' })
    await ask(model)
    const { error } = await askUntilFailure(model)
    expect(ParleyError.is(error, 'model-invalid-request')).toBe(true)
    expect(error).toMatchObject({ info: { provider: 'acme', model: 'm', detail: 'The script has no answer 2.' } })
  })

  it('is named as told', () => {
    expect(scriptedModel([])).toMatchObject({ provider: 'scripted', id: 'script', info: {} })
    const info = { contextWindow: 8_000 }
    expect(scriptedModel([], { provider: 'acme', id: 'm', info })).toMatchObject({ provider: 'acme', id: 'm', info })
  })

  it('throws the error after everything else and in place of the finish', async () => {
    const info = { code: 'model-overloaded', provider: 'scripted', detail: 'busy' } as const
    const { events, error } = await askUntilFailure(scriptedModel([{ text: 'a', error: info }]))
    expect(events.map(event => event.type)).toEqual(['text.delta', 'usage'])
    expect(ParleyError.is(error) && error.info).toEqual(info)
  })

  it('waits before the first event', async () => {
    const gate = Promise.withResolvers<void>()
    const stream = scriptedModel([{ text: 'a', until: gate.promise }]).stream(request, {})
    const reader = stream[Symbol.asyncIterator]()
    let arrived = false
    const first = reader.next().then(result => {
      arrived = true
      return result
    })
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(arrived).toBe(false)
    gate.resolve()
    expect(await first).toEqual({ value: { type: 'text.delta', text: 'a' }, done: false })

    const before = performance.now()
    await ask(scriptedModel([{ text: 'a', delayMs: 30 }]))
    expect(performance.now() - before).toBeGreaterThan(25)
  })

  it.each([
    ['before it began', { text: 'a' }, 0],
    ['while it waits', { text: 'a', until: new Promise(() => {}) }, 0],
    ['while it hangs', { text: 'a', hang: true }, 2],
  ])('throws the reason of an abort %s', async (when, answer, eventsBefore) => {
    const controller = new AbortController()
    const reason = { kind: 'user' }
    if (when === 'before it began') controller.abort(reason)
    else setTimeout(() => controller.abort(reason), 5)
    const { events, error } = await askUntilFailure(scriptedModel([answer]), controller.signal)
    expect(error).toBe(reason)
    expect(events).toHaveLength(eventsBefore)
  })

  it('stops between two events when it is aborted there', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const stream = scriptedModel([{ text: 'abc', chunkSize: 1 }]).stream(request, { signal: controller.signal })
    let read = ''
    const reading = (async () => {
      for await (const event of stream) {
        if (event.type === 'text.delta') read += event.text
        controller.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
    expect(read).toBe('a')
  })
})
