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
  it('a scripted answer streams reasoning, text and usage, and finishes', async () => {
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

  it('a string is a text answer in deltas of 8 characters', async () => {
    const events = await ask(scriptedModel(['123456789']))
    expect(events.slice(0, 2)).toEqual([
      { type: 'text.delta', text: '12345678' },
      { type: 'text.delta', text: '9' },
    ])
  })

  it("scripted tool calls are streamed like a model's, with ids that count over the model's lifetime", async () => {
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

  it('a scripted answer reports the given usage', async () => {
    const events = await ask(scriptedModel([{ text: 'a', usage: { output: 7, cacheRead: 3 } }]))
    expect(events).toContainEqual({ type: 'usage', usage: { ...usage, output: 7, cacheRead: 3 } })
  })

  it('an answer with raw events streams only these events', async () => {
    const events: ModelEvent[] = [{ type: 'text.end' }, { type: 'finish', reason: 'refusal' }]
    expect(await ask(scriptedModel([{ events, text: 'ignored' }]))).toEqual(events)
  })

  it('an answer with finish none ends without a finish', async () => {
    expect(await ask(scriptedModel([{ text: 'a', finish: 'none' }]))).toEqual([
      { type: 'text.delta', text: 'a' },
      { type: 'usage', usage },
    ])
  })

  it('the scripted model records its requests and passes each with its index to a script function', async () => {
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

  it('a call beyond the end of the script fails with model-invalid-request', async () => {
    const model = scriptedModel(['once'], { provider: 'acme', id: 'm' })
    await ask(model)
    const { error } = await askUntilFailure(model)
    expect(ParleyError.is(error, 'model-invalid-request')).toBe(true)
    expect(error).toMatchObject({ info: { provider: 'acme', model: 'm', detail: 'The script has no answer 2.' } })
  })

  it('the scripted model has the given provider, id and info', () => {
    expect(scriptedModel([])).toMatchObject({ provider: 'scripted', id: 'script', info: {} })
    const info = { contextWindow: 8_000 }
    expect(scriptedModel([], { provider: 'acme', id: 'm', info })).toMatchObject({ provider: 'acme', id: 'm', info })
  })

  it('an Error of a script is thrown as it is', async () => {
    const net = new Error('net')
    const { error } = await askUntilFailure(scriptedModel([{ error: net }]))
    expect(error).toBe(net)
  })

  it('a scripted error is thrown after all other events instead of the finish', async () => {
    const info = { code: 'model-overloaded', provider: 'scripted', detail: 'busy' } as const
    const { events, error } = await askUntilFailure(scriptedModel([{ text: 'a', error: info }]))
    expect(events.map(event => event.type)).toEqual(['text.delta', 'usage'])
    expect(ParleyError.is(error) && error.info).toEqual(info)
  })

  it('a scripted answer waits before its first event', async () => {
    const gate = Promise.withResolvers<void>()
    const stream = scriptedModel([{ text: 'a', until: gate.promise }]).stream(request, {})
    const reader = stream[Symbol.asyncIterator]()
    let arrived = false
    const first = reader.next().then(result => {
      arrived = true
      return result
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(arrived).toBe(false)
    gate.resolve()
    expect(await first).toEqual({ value: { type: 'text.delta', text: 'a' }, done: false })

    const before = performance.now()
    await ask(scriptedModel([{ text: 'a', delayMs: 30 }]))
    expect(performance.now() - before).toBeGreaterThan(25)
  })

  it.each([
    ['before the call', { text: 'a' }, 0],
    ['while it waits', { text: 'a', until: new Promise(() => {}) }, 0],
    ['while it hangs', { text: 'a', hang: true }, 2],
  ])('the scripted model throws the reason of an abort %s', async (when, answer, eventsBefore) => {
    const controller = new AbortController()
    const reason = { kind: 'user' }
    if (when === 'before the call') controller.abort(reason)
    else setTimeout(() => controller.abort(reason), 5)
    const { events, error } = await askUntilFailure(scriptedModel([answer]), controller.signal)
    expect(error).toBe(reason)
    expect(events).toHaveLength(eventsBefore)
  })

  it('an abort between two events stops the scripted model', async () => {
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
