import { ParleyError, type Message, type Model, type ModelEvent, type ModelRequest } from '@parley/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findWrittenCalls } from './find-written-calls.ts'
import { withPromptedTools } from './with-prompted-tools.ts'

const look = {
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
}
const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const CALL = '{"tool_calls":[{"name":"look","arguments":{"at":"a } \\" b"}},{"name":"look"}]}'

/** Creates a model without tools that answers with these pieces, and records its requests. */
function setup(pieces: readonly string[], finish: 'stop' | 'length' = 'stop', toolCalls: boolean | undefined = false) {
  const sent: ModelRequest[] = []
  const model: Model = {
    provider: 'p',
    id: 'm',
    info: { toolCalls },
    async *stream(request) {
      sent.push(request)
      for (const text of pieces) yield { type: 'text.delta', text }
      yield { type: 'text.end' }
      yield { type: 'finish', reason: finish }
    },
  }
  return { model, sent }
}

async function ask(model: Model, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const whole = { system: [], messages: [say('hi')], tools: [look], settings: {}, ...request }
  for await (const event of model.stream(whole, {})) events.push(event)
  return events
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map(event => (event.type === 'text.delta' ? event.text : '')).join('')
const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap(event => (event.type === 'tool-call' ? [[event.name, event.arguments]] : []))

describe('withPromptedTools', () => {
  it('withPromptedTools describes the tools before volatile instructions and sends no tools', async () => {
    const { model, sent } = setup(['Fine.'])
    const system = [{ text: 'Be brief.' }, { text: 'It is noon.', volatile: true }]
    const settings = { temperature: 0, parallelToolCalls: false }
    const events = await ask(withPromptedTools(model), { system, settings, toolChoice: 'required' })
    expect(events.filter(({ type }) => type !== 'text.end')).toEqual([
      { type: 'text.delta', text: 'Fine.' },
      { type: 'finish', reason: 'stop' },
    ])
    expect(sent[0]).toEqual({
      system: [system[0], { text: expect.stringContaining('## look\nLooks.\nArguments') as string }, system[1]],
      messages: [say('hi')],
      tools: [],
      settings: { temperature: 0 },
    })
    expect(sent[0]?.system[1]?.text).toContain('You must call a tool now.\nCall one tool at a time.')
    await ask(withPromptedTools(model), { toolChoice: { name: 'look' } })
    expect(sent[1]?.system[0]?.text).toContain("You must call 'look' now.")
  })

  it('withPromptedTools reads calls and the text around them for any chunks, with or without a code fence', async () => {
    const fenced = `I will look.\n\`\`\`json\n${CALL}\n\`\`\`\n`
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(fenced, `I will look.\n${CALL}`), fc.array(fc.nat(120)), async (text, cuts) => {
        const places = [0, ...new Set(cuts)].toSorted((a, b) => a - b)
        const { model } = setup(places.map((from, index) => text.slice(from, places[index + 1])))
        const events = await ask(withPromptedTools(model))
        expect(textOf(events).trim()).toBe('I will look.')
        expect(callsOf(events)).toEqual([
          ['look', '{"at":"a } \\" b"}'],
          ['look', '{}'],
        ])
        expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
        const ids = events.flatMap(event => (event.type === 'tool-call' ? [event.callId] : []))
        expect(new Set(ids).size).toBe(2)
      }),
    )
  })

  it('withPromptedTools emits text without calls unchanged, up to the first brace as it arrives', async () => {
    const pieces = ['A `b` and ', 'c: {', '"d": 1}', ' ``` e']
    const events = await ask(withPromptedTools(setup(pieces).model))
    expect(textOf(events)).toBe(pieces.join(''))
    expect(events.slice(0, 2)).toEqual([
      { type: 'text.delta', text: 'A `b` and ' },
      { type: 'text.delta', text: 'c: ' },
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('`', '{', '}', '"', 'a', ' ', '\\') })),
        async parts => {
          const text = textOf(await ask(withPromptedTools(setup(parts).model)))
          expect(text.trim()).toBe(parts.join('').trim())
        },
      ),
    )
  })

  it('withPromptedTools continues to emit text after a backtick that begins no fence', async () => {
    const events = await ask(withPromptedTools(setup(['A `', 'b` c ', 'd']).model))
    expect(events.flatMap(event => (event.type === 'text.delta' ? [event.text] : []))).toEqual(['A ', '`b` c ', 'd'])
  })

  it('withPromptedTools emits the held text of an answer without a finish', async () => {
    const model: Model = {
      ...setup([]).model,
      async *stream() {
        yield { type: 'text.delta', text: 'So: {"a"' }
      },
    }
    expect(textOf(await ask(withPromptedTools(model)))).toBe('So: {"a"')
  })

  it('withPromptedTools reads no call from a truncated answer', async () => {
    const events = await ask(withPromptedTools(setup(['{"tool_calls":[{"name":"lo'], 'length').model))
    expect(callsOf(events)).toEqual([])
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it('withPromptedTools sends past calls and results as text, even without tools in the request', async () => {
    const { model, sent } = setup(['{"tool_calls":[{"name":"look"}]}'])
    const messages: Message[] = [
      say('go'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: '1', name: 'look', arguments: '{"at":"x"}' },
          { type: 'tool-call', callId: '2', name: 'look', arguments: 'oops' },
        ],
      },
      { role: 'tool', callId: '1', name: 'look', content: [{ type: 'text', text: 'a house' }] },
      { role: 'tool', callId: '2', name: 'look', isError: true, content: [{ type: 'text', text: 'no JSON' }] },
    ]
    const events = await ask(withPromptedTools(model), { messages, tools: [] })
    expect(sent[0]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          {
            type: 'text',
            text: '{"tool_calls":[{"name":"look","arguments":{"at":"x"}},{"name":"look","arguments":"oops"}]}',
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[Result of look]\na house' },
          { type: 'text', text: '[Error of look]\nno JSON' },
        ],
      },
    ])
    // For a request without tools, the text is not searched for calls.
    expect(callsOf(events)).toEqual([])
    expect(callsOf(await ask(withPromptedTools(model), { toolChoice: 'none' }))).toEqual([])
  })

  it('withPromptedTools wraps a model with native tools only in mode always', async () => {
    const { model } = setup(['x'], 'stop', true)
    expect(withPromptedTools(model)).toBe(model)
    expect(withPromptedTools({ ...model, info: {} }).info).toEqual({})
    const always = withPromptedTools(model, { mode: 'always' })
    expect([always.provider, always.id, always.info.toolCalls]).toEqual(['p', 'm', true])
    expect(withPromptedTools(setup([]).model).info.toolCalls).toBe(true)
  })

  it('withPromptedTools passes on the error of the model', async () => {
    const error = new ParleyError({ code: 'model-server', provider: 'p', detail: '' })
    const broken: Model = {
      ...setup([]).model,
      // eslint-disable-next-line require-yield
      async *stream() {
        throw error
      },
    }
    await expect(ask(withPromptedTools(broken))).rejects.toBe(error)
  })
})

describe('findWrittenCalls', () => {
  it.each([
    ['{}'],
    ['{"tool_calls":[]}'],
    ['{"tool_calls":"look"}'],
    ['{"tool_calls":[{"name":7},{"arguments":{}},null]}'],
    ['{"a":{"tool_calls":[{"name":"look"}]}}'],
    ['{"tool_calls":[{"name":"look"}]'],
  ])('findWrittenCalls finds no calls in %s', text => {
    expect(findWrittenCalls(text)).toBeUndefined()
  })

  it('findWrittenCalls finds the first object with calls, after other and after incomplete objects', () => {
    const text = 'So {x: 1} and {"a":1} then { {"tool_calls":[{"name":"look","arguments":"{\\"at\\":1}"}]} end'
    expect(findWrittenCalls(text)).toEqual({
      calls: [{ name: 'look', arguments: '{"at":1}' }],
      before: 'So {x: 1} and {"a":1} then { ',
      after: ' end',
    })
  })
})
