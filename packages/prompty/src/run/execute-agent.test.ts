import { messageText, ParleyError, toolError, type Message, type Model, type ModelRequest } from '@parley/core'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { createPrompty } from '../create-prompty.ts'
import { parsePrompty } from '../format/parse-prompty.ts'
import type { ExecuteOptions } from './execute-agent.ts'
import type { PromptyEvent } from './prompty-event.ts'
import { createSteering } from './steering.ts'

const FILE = `---
name: weather
model: gpt-4o
inputs:
  question: What's the weather?
  unit: celsius
tools:
  - name: get_weather
    kind: function
    description: The weather of a city.
    parameters:
      - { name: city, kind: string, required: true }
      - { name: unit, kind: string }
      - { name: days, kind: integer }
    bindings: { unit: { input: unit } }
---
system:
Answer from tools.
user:
{{ question }}`

const ask = (input: unknown, callId?: string): ScriptStep => ({
  toolCalls: [{ name: 'get_weather', input, ...(callId === undefined ? {} : { callId }) }],
})

async function execute(script: readonly ScriptStep[], options: ExecuteOptions = {}, file = FILE) {
  const model = scriptedModel(script)
  const events: PromptyEvent[] = []
  const answer = createPrompty().executeAgent(await parsePrompty(file), {
    model,
    onEvent: event => events.push(event),
    ...options,
  })
  return { answer: await answer.catch((error: unknown) => error), requests: model.requests, events }
}

const results = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).filter((message: Message) => message.role === 'tool').map(messageText)
const kinds = (events: readonly PromptyEvent[]): string[] =>
  events
    .map(({ type }) => type)
    .filter(type => !['token', 'llm_start', 'llm_complete', 'status', 'tool_call_complete'].includes(type))

describe('executeAgent', () => {
  it('executeAgent renders the prompt, calls a plain function with positional arguments, and returns the answer', async () => {
    const getWeather = vi.fn((city: string, unit: string, days?: number) => `${city} ${unit} ${days}`)
    const { answer, requests, events } = await execute([ask({ city: 'Paris' }), 'Sunny.'], {
      tools: { get_weather: getWeather },
    })
    expect(answer).toBe('Sunny.')
    expect(getWeather).toHaveBeenCalledExactlyOnceWith('Paris', 'celsius', undefined)
    expect(requests[0]).toMatchObject({
      system: [{ text: 'Answer from tools.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: "What's the weather?" }] }],
    })
    expect(results(requests[1])).toEqual(['Paris celsius undefined'])
    expect(kinds(events)).toEqual([
      'turn_start',
      'tool_call_start',
      'tool_result',
      'messages_updated',
      'done',
      'turn_end',
    ])
  })

  it('the model does not see bound parameters, and its values for them are ignored', async () => {
    const seen = vi.fn()
    const { requests } = await execute([ask({ city: 'Paris', unit: 'kelvin' }), 'ok'], {
      inputs: { unit: 'fahrenheit' },
      tools: { get_weather: { execute: input => seen(input) } },
    })
    expect(Object.keys(requests[0]?.tools[0]?.inputSchema['properties'] as object)).toEqual(['city', 'days'])
    expect(seen).toHaveBeenCalledWith({ city: 'Paris', unit: 'fahrenheit' })
  })

  it('the model reads the prescribed error texts, and the run continues', async () => {
    class ConnectionTimeout extends Error {
      override name = 'ConnectionTimeout'
    }
    const { answer, requests, events } = await execute(
      [
        { toolCalls: [{ name: 'get_weather', arguments: '{"city": "Paris" "x"' }] },
        { toolCalls: [{ name: 'unknown_tool', input: {} }] },
        ask({ city: 'Paris' }),
        ask({ city: 'Rome' }),
        ask({ town: 'Oslo' }),
        'Done.',
      ],
      {
        tools: {
          get_weather: async (city: string) => {
            throw city === 'Paris' ? new ConnectionTimeout('API unreachable') : new Error('no')
          },
        },
      },
    )
    expect(answer).toBe('Done.')
    const told = results(requests[5])
    expect(told[0]).toMatch(/^Error parsing arguments: .+/)
    expect(told.slice(1, 4)).toEqual([
      "Error: tool 'unknown_tool' not found in tools dict",
      'Error executing get_weather: ConnectionTimeout: API unreachable',
      'Error executing get_weather: no',
    ])
    expect(told[4]).toContain('/city is missing')
    const shown = events.flatMap(event => (event.type === 'tool_result' ? [event.data.result] : []))
    expect(shown).toEqual(told)
  })

  it('the model reads an error for a declared tool without an implementation', async () => {
    const { requests } = await execute([ask({ city: 'Paris' }), 'ok'])
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['get_weather'])
    expect(results(requests[1])).toEqual(["Error: tool 'get_weather' not found in tools dict"])
  })

  it('a function that the file does not declare can be called but is not offered', async () => {
    const { requests } = await execute([{ toolCalls: [{ name: 'extra', input: { a: 1, b: 2 } }] }, 'ok'], {
      tools: { extra: (a: number, b: number) => a + b },
    })
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['get_weather'])
    expect(results(requests[1])).toEqual(['3'])
  })

  it('executeAgent throws the prescribed error after exactly maxIterations model calls', async () => {
    const script = Array.from({ length: 5 }, () => ask({ city: 'Paris' }))
    const { answer, requests } = await execute(script, { tools: { get_weather: () => 'x' }, maxIterations: 3 })
    expect(ParleyError.is(answer, 'limit-reached')).toBe(true)
    expect((answer as Error).message).toBe('Agent loop exceeded max_iterations (3)')
    expect(requests).toHaveLength(3)
    const last = await execute([ask({ city: 'Paris' }), 'Just in time.'], {
      tools: { get_weather: () => '' },
      maxIterations: 2,
    })
    expect(last.answer).toBe('Just in time.')
    expect(results(last.requests[1])).toEqual([''])
  })

  it('executeAgent rejects maxIterations of 0', async () => {
    expect((await execute([], { maxIterations: 0 })).answer).toMatchObject({
      message: 'maxIterations: is 0; must be an integer above 0',
    })
  })

  it('executeAgent returns data if the file has outputs, and the text if it is not JSON', async () => {
    const file = '---\nmodel: m\noutputs:\n  - { name: city, kind: string, required: true }\n---\nuser:\nhi'
    const { answer, requests } = await execute(['{"city":"Rome"}'], {}, file)
    expect(answer).toEqual({ city: 'Rome' })
    expect(requests[0]?.settings.output).toMatchObject({ name: 'structured_output', schema: { required: ['city'] } })
    expect((await execute(['Rome'], {}, file)).answer).toBe('Rome')
  })
})

describe('stopping', () => {
  it('after a cancellation no further tool runs and the model is not called again', async () => {
    const controller = new AbortController()
    const run = vi.fn((city: string) => {
      controller.abort()
      return city
    })
    const calls = {
      toolCalls: [
        { name: 'get_weather', input: { city: 'A' } },
        { name: 'get_weather', input: { city: 'B' } },
      ],
    }
    const { answer, requests, events } = await execute([calls, 'never'], {
      tools: { get_weather: run },
      signal: controller.signal,
    })
    expect(ParleyError.is(answer, 'cancelled')).toBe(true)
    expect(run).toHaveBeenCalledTimes(1)
    expect(requests).toHaveLength(1)
    expect(kinds(events)).toEqual([
      'turn_start',
      'tool_call_start',
      'tool_result',
      'messages_updated',
      'cancelled',
      'turn_end',
    ])
  })

  it('executeAgent does not call the model if the signal is already aborted', async () => {
    const { answer, requests } = await execute(['never'], { signal: AbortSignal.abort() })
    expect(ParleyError.is(answer, 'cancelled')).toBe(true)
    expect(requests).toEqual([])
  })

  it('executeAgent throws the error of the model', async () => {
    const error = { code: 'model-auth' as const, provider: 'scripted', detail: 'bad key' }
    const { answer, events } = await execute([{ error }])
    expect(ParleyError.is(answer, 'model-auth')).toBe(true)
    expect(kinds(events)).toEqual(['turn_start', 'error', 'turn_end'])
  })

  it('a refusal is an error for a streamed answer, and text otherwise', async () => {
    const refusing: ScriptStep = { text: 'I will not.', finish: 'refusal' }
    expect((await execute([refusing], { stream: true })).answer).toMatchObject({
      message: 'Model refused: I will not.',
    })
    expect((await execute([refusing])).answer).toBe('I will not.')
  })
})

describe('guardrails', () => {
  const tools = { get_weather: (city: string) => city }

  it('a denial of the input guardrail prevents the model call', async () => {
    const { answer, requests } = await execute(['never'], {
      guardrails: { input: () => ({ allowed: false, reason: 'Contains PII' }) },
    })
    expect((answer as Error).message).toBe('Denied by guardrail: Contains PII')
    expect(requests).toEqual([])
  })

  it('the output guardrail denies or rewrites an answer', async () => {
    const refused = await execute(['secret'], {
      guardrails: { output: async () => ({ allowed: false, reason: 'leak' }) },
    })
    expect((refused.answer as Error).message).toBe('Denied by guardrail: leak')
    const rewritten = await execute(['secret'], { guardrails: { output: () => ({ allowed: true, rewrite: '***' }) } })
    expect(rewritten.answer).toBe('***')
    expect(rewritten.events.flatMap(event => (event.type === 'token' ? [event.data.token] : [])).join('')).toBe('***')
  })

  it('guardrails rewrite requests and arguments, and the model reads why a tool call was denied', async () => {
    const { requests } = await execute([ask({ city: 'Paris' }), ask({ city: 'Rome' }), 'ok'], {
      tools,
      guardrails: {
        input: messages => ({
          allowed: true,
          rewrite: messages.map(message => (message.role === 'system' ? { ...message, content: 'Changed.' } : message)),
        }),
        tool: (_name, input) =>
          input['city'] === 'Paris'
            ? { allowed: false, reason: 'not there' }
            : { allowed: true, rewrite: { city: 'Oslo' } },
      },
    })
    expect(requests[0]?.system).toEqual([{ text: 'Changed.' }])
    expect(results(requests[2])).toEqual(['Tool denied by guardrail: not there', 'Oslo'])
  })
})

describe('steering', () => {
  it('steering messages follow all tool results and come before the next model call', async () => {
    const steering = createSteering()
    const calls = {
      toolCalls: [
        { name: 'get_weather', input: { city: 'A' } },
        { name: 'get_weather', input: { city: 'B' } },
      ],
    }
    const { answer, requests } = await execute([calls, 'ok'], {
      steering,
      tools: {
        get_weather: (city: string) => {
          if (city === 'A') for (const word of ['one', 'two']) steering.send(word)
          return city
        },
      },
    })
    expect(answer).toBe('ok')
    expect(requests[1]?.messages.map(message => `${message.role} ${messageText(message)}`)).toEqual([
      "user What's the weather?",
      'assistant ',
      'tool A',
      'tool B',
      'user one',
      'user two',
    ])
  })
})

describe('context budget', () => {
  const long = 'x'.repeat(300)
  const messages = [
    { role: 'system' as const, content: [{ kind: 'text' as const, value: 'Rules.' }] },
    ...[1, 2, 3].flatMap(number => [
      { role: 'user' as const, content: [{ kind: 'text' as const, value: `question ${number} ${long}` }] },
      { role: 'assistant' as const, content: [{ kind: 'text' as const, value: `answer ${number} ${long}` }] },
    ]),
    { role: 'user' as const, content: [{ kind: 'text' as const, value: 'last question' }] },
  ]

  it('a summary replaces the oldest messages above the context budget', async () => {
    const { requests } = await execute(['ok'], { messages, contextBudget: 800 })
    const sent = requests[0]?.messages.map(messageText) ?? []
    expect(requests[0]?.system).toEqual([{ text: 'Rules.' }])
    expect(sent[0]).toMatch(/^\[Context summary: User asked: question 1 x/)
    expect(sent.at(-1)).toBe('last question')
    expect(sent.join('').length).toBeLessThan(800)
    const roomy = await execute(['ok'], { messages, contextBudget: 10_000 })
    expect(roomy.requests[0]?.messages).toHaveLength(7)
  })

  it('the compaction makes the summary, and an excerpt replaces it if the compaction fails', async () => {
    const made = await execute(['ok'], {
      messages,
      contextBudget: 800,
      compaction: dropped => `${dropped.length} gone`,
    })
    expect(messageText(made.requests[0]?.messages[0] as Message)).toMatch(/^\[Context summary: \d gone\]$/)
    const broken = await execute(['ok'], {
      messages,
      contextBudget: 800,
      compaction: () => Promise.reject(new Error('down')),
    })
    expect(messageText(broken.requests[0]?.messages[0] as Message)).toContain('User asked')
    expect(kinds(broken.events)).toEqual(['turn_start', 'compaction_start', 'compaction_failed', 'done', 'turn_end'])
  })

  it('trimming never separates a tool call from its result', async () => {
    const tools = { get_weather: () => long }
    const { requests } = await execute([ask({ city: 'A' }), ask({ city: 'B' }), ask({ city: 'C' }), 'ok'], {
      tools,
      contextBudget: 600,
    })
    for (const { messages: sent } of requests)
      for (const [index, message] of sent.entries())
        if (message.role === 'tool') expect(sent[index - 1]?.role).toBe('assistant')
  })
})

describe('tools of other kinds', () => {
  const file =
    '---\nmodel: m\ntools:\n  - { name: t, kind: mcp, serverName: s, allowedTools: [ok], approvalMode: { kind: specify, alwaysRequireApprovalTools: [ok] } }\n---\nuser:\nhi'

  it('tools of another kind come from the host, follow the rules of the file, and are closed at the end', async () => {
    const closed = vi.fn(async () => {})
    const tool = (name: string) => ({
      name: `mcp__s__${name}`,
      description: name,
      input: { type: 'object' },
      execute: () => name,
    })
    const source = { name: 's', tools: async () => [tool('ok'), tool('other')], [Symbol.asyncDispose]: closed }
    const model = scriptedModel([{ toolCalls: [{ name: 'mcp__s__ok' }] }, 'done'])
    const asked = vi.fn(() => ({ type: 'approved' as const }))
    const answer = await createPrompty({ toolKinds: { '*': () => source } }).executeAgent(await parsePrompty(file), {
      model,
      onApproval: asked,
    })
    expect(answer).toBe('done')
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['mcp__s__ok'])
    expect(asked).toHaveBeenCalledTimes(1)
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('a tool kind without a handler is an error', async () => {
    expect((await execute(['x'], {}, file)).answer).toMatchObject({
      message: expect.stringContaining("tools.t.kind: is 'mcp', which this host cannot run"),
    })
  })
})

it('executeAgent keeps the outcome that a tool returns', async () => {
  const { requests } = await execute([ask({ city: 'Paris' }), 'ok'], {
    tools: { get_weather: { effect: 'read', execute: () => toolError('Ask later.') } },
  })
  expect(results(requests[1])).toEqual(['Ask later.'])
})

it('executeAgent emits an event for each retry and for each fallback to another model', async () => {
  const error = { code: 'model-overloaded', provider: 'acme', detail: 'Busy.' } as const
  const names = { from: 'acme/large', to: 'other/small' }
  const model: Model = {
    provider: 'fallback',
    id: 'acme/large|other/small',
    info: {},
    async *stream() {
      yield { type: 'retry', attempt: 1, delayMs: 0, error }
      yield { type: 'retry', attempt: 2, delayMs: 0, error, fallback: names }
      yield { type: 'text.delta', text: 'Sunny.' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const tools = { get_weather: () => '' }
  const { answer, events } = await execute([], { model, tools })
  expect(answer).toBe('Sunny.')
  expect(events.filter(({ type }) => type === 'retry')).toEqual([
    { type: 'retry', data: { attempt: 1, delayMs: 0, error } },
    { type: 'retry', data: { attempt: 2, delayMs: 0, error, fallback: names } },
  ])
})
