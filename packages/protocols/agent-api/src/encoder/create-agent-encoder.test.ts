import * as fc from 'fast-check'
import type { ModelEvent, RunEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { checkAgentEvents, createStreamChecker } from '../check/index.ts'
import { all, journalOf, SCENARIOS, setUp } from '../__fixtures__/scenarios.ts'
import {
  agentApiStream,
  createAgentEncoder,
  encodeSse,
  readAgentStream,
  responseText,
  toRunEvents,
  type AgentEvent,
  type AgentMessage,
  type AgentResponse,
} from '../index.ts'

async function scenario(name: string): Promise<readonly AgentEvent[]> {
  const stream = SCENARIOS[name]
  if (stream === undefined) throw new Error(`no scenario ${name}`)
  return stream()
}

function end(events: readonly AgentEvent[]): AgentResponse {
  const last = events.at(-1)
  if (last?.object !== 'response') throw new Error('the stream has no end')
  return last
}

const typesOf = (response: AgentResponse): string[] => (response.output ?? []).map(({ type }) => type)
const dataOf = (message: AgentMessage | undefined): unknown => {
  const part = message?.content?.[0]
  return part?.type === 'data' ? part.data : undefined
}

describe('a run as a stream', () => {
  it.each(Object.keys(SCENARIOS))('the stream of a run has no violations: %s', async name => {
    const events = await scenario(name)
    const observer = createStreamChecker()
    const read = await readAgentStream([events.map(encodeSse).join('')], { observer }).response()
    expect(observer.violations).toEqual([])
    expect(read.output).toEqual(end(events).output)
  })

  it('structured output appears once, even if a tool call delivered it', async () => {
    expect(responseText(end(await scenario('structured output by a tool')))).toBe('{"ok":1}')
    expect(responseText(end(await scenario('structured output')))).toBe('{"no": 1}{"ok": 1}')
  })

  it('the response has the answer, the session and the usage', async () => {
    const response = end(await scenario('tool loop'))
    expect(responseText(response)).toBe('Let me look. Again. Sunny in both.')
    expect(response).toMatchObject({
      status: 'completed',
      usage: { input_tokens: 30, output_tokens: 15, total_tokens: 45 },
    })
    expect(response.session_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(typesOf(response)).toEqual([
      'reasoning',
      'message',
      'plugin_call',
      'plugin_call_output',
      'message',
      'plugin_call',
      'plugin_call_output',
      'message',
    ])
    expect(response.output?.[2]).toMatchObject({ usage: { input_tokens: 10, output_tokens: 5 } })
  })

  it('a call and its output are data messages', async () => {
    const { output } = end(await scenario('tool of a server'))
    expect(output?.[0]).toMatchObject({ type: 'mcp_call', role: 'assistant' })
    expect(dataOf(output?.[0])).toEqual({
      call_id: 'call_1',
      name: 'query',
      arguments: '{"sql":"select 1"}',
      server_label: 'db',
    })
    expect(dataOf(output?.[1])).toEqual({ call_id: 'call_1', name: 'query', output: '1' })
  })

  it('a call is announced when the model begins it, and argument deltas are sent only on request', async () => {
    const [plain, asked] = await Promise.all([scenario('tool loop'), scenario('argument deltas')])
    const dataDeltas = (events: readonly AgentEvent[]) =>
      events.filter(event => event.object === 'content' && event.type === 'data' && event.delta)
    expect(dataDeltas(plain)).toEqual([])
    expect(dataDeltas(asked)).toMatchObject([
      { data: { arguments: '{"city":"Oslo"}' } },
      { data: { arguments: '{"city":"Bergen"}' } },
    ])
    const first = plain.find(event => event.object === 'content' && event.type === 'data')
    expect(first).toMatchObject({ status: 'in_progress', data: { name: 'weather', arguments: '' } })
  })

  it('tool progress is shown while the tool runs', async () => {
    const events = await scenario('tool with progress')
    const shown = events.flatMap(event =>
      event.object === 'content' && event.type === 'data' && event.data !== null && 'progress' in event.data
        ? [event.data['progress']]
        : [],
    )
    expect(shown).toEqual([{ percent: 50 }, 'nearly there'])
  })

  it('the output of a failed tool has is_error', async () => {
    const { output } = end(await scenario('failing tool'))
    expect(dataOf(output?.[1])).toMatchObject({ output: 'no power', is_error: true })
  })

  it('files of a tool result are in the output', async () => {
    const { output } = end(await scenario('tool that returns a file'))
    const { output: text } = dataOf(output?.[1]) as { output: string }
    expect(JSON.parse(text)).toEqual([
      { type: 'text', text: 'Here:' },
      { type: 'image', image_url: 'data:image/png;base64,AAAA' },
    ])
  })

  it.each([false, true])('a released run ends as incomplete, with pending approvals: %s', async isAsking => {
    const { runId, entries } = await journalOf({ script: [{ toolCalls: [{ name: 'pay' }] }, 'Done.'] })
    const [started, ...others] = toRunEvents(runId, entries)
    const asked = others.find(event => event.type === 'approval.requested')
    const approvals = isAsking && asked?.type === 'approval.requested' ? [asked.request] : []
    const { sessionId, at } = started as RunEvent
    const released: RunEvent = {
      type: 'run.suspended',
      reason: 'shutdown',
      approvals,
      runId,
      sessionId,
      at,
      path: [],
      seq: 2,
      v: 1,
    }
    const encoder = createAgentEncoder()
    const events = [started as RunEvent, released].flatMap(event => encoder.push(event))
    expect(encoder.ended).toBe(true)
    expect([...encoder.push(released), ...encoder.end()]).toEqual([])
    expect(end(events)).toMatchObject({ status: 'incomplete', error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(typesOf(end(events))).toEqual(isAsking ? ['plugin_call', 'mcp_approval_request'] : [])
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('text before and after a call joins into one message', async () => {
    const { output } = end(await scenario('text around a call'))
    expect(output?.slice(0, 2)).toMatchObject([
      { type: 'message', content: [{ text: 'before after' }] },
      { type: 'plugin_call' },
    ])
  })

  it('a run that is suspended for approval completes its response, and the decision starts another', async () => {
    const waiting = end(await scenario('suspended for approval'))
    expect(waiting.status).toBe('completed')
    expect(typesOf(waiting)).toEqual(['message', 'plugin_call', 'mcp_approval_request'])
    expect(dataOf(waiting.output?.[2])).toMatchObject({ name: 'pay', arguments: '{}', server_label: 'guide' })

    const given = end(await scenario('approval given'))
    expect(typesOf(given)).toEqual(['mcp_approval_response', 'plugin_call', 'plugin_call_output', 'message'])
    expect(dataOf(given.output?.[0])).toMatchObject({ approve: true })
    expect(dataOf(given.output?.[2])).toMatchObject({ output: 'paid' })
    expect(given.usage).toMatchObject({ input_tokens: 10 })

    const refused = end(await scenario('approval refused'))
    expect(dataOf(refused.output?.[0])).toMatchObject({ approve: false, reason: 'too dear' })
  })

  it('the next response repeats the requests that are still pending', async () => {
    const response = end(await scenario('one of two approvals given'))
    expect(typesOf(response)).toEqual([
      'mcp_approval_response',
      'plugin_call',
      'plugin_call_output',
      'plugin_call',
      'mcp_approval_request',
    ])
    expect(dataOf(response.output?.[4])).toMatchObject({ call_id: 'call_2' })
  })

  it.each([
    ['failure before output', { status: 'failed', code: 'MODEL_EXECUTION_FAILED', text: '' }],
    [
      'failure during output',
      { status: 'failed', code: 'MODEL_EXECUTION_FAILED', text: 'The quick brown fox jumps over the lazy dog.' },
    ],
    ['cancelled while it writes', { status: 'canceled', code: 'CANCELED', text: 'The quic' }],
    ['cancelled, for clients of the reference', { status: 'failed', code: 'CANCELED', text: 'The quic' }],
    ['cancelled while a tool runs', { status: 'canceled', code: 'CANCELED', text: '' }],
    ['input refused by a filter', { status: 'rejected', code: 'INPUT_REJECTED', text: '' }],
    ['turn limit', { status: 'incomplete', code: 'LIMIT_REACHED', text: 'Let me look. ' }],
    ['turn limit, for clients of the reference', { status: 'failed', code: 'LIMIT_REACHED', text: 'Let me look. ' }],
    [
      'cut off by its length',
      { status: 'incomplete', code: 'MAX_OUTPUT_TOKENS', text: 'The quick brown fox jumps over the lazy dog.' },
    ],
    [
      'cut off by a filter',
      { status: 'incomplete', code: 'CONTENT_FILTER', text: 'The quick brown fox jumps over the lazy dog.' },
    ],
    ['events that stop', { status: 'failed', code: 'AGENT_UNKNOWN_ERROR', text: 'The quick brown fox jump' }],
    ['events that break', { status: 'failed', code: 'AGENT_UNKNOWN_ERROR', text: 'The quick brown fox jump' }],
    ['released by its process', { status: 'failed', code: 'SESSION_BUSY', text: 'The quick brown fox jump' }],
  ])('a run that did not complete ends once and keeps its text: %s', async (name, { status, code, text }) => {
    const response = end(await scenario(name))
    expect(response).toMatchObject({ status, error: { code } })
    expect(responseText(response)).toBe(text)
  })

  it('an unexpected error does not reach the client', async () => {
    const { error } = end(await scenario('events that break'))
    expect(error?.message).not.toContain('connection lost')
  })

  it('encoding the journal gives the same messages as the live stream, always the same bytes, without deltas', async () => {
    for (const name of ['tool loop', 'from the journal']) expect(await scenario(name)).not.toEqual([])
    const script = [
      {
        reasoning: 'hm',
        text: 'Let me look. ',
        toolCalls: [{ name: 'weather' }, { name: 'slow' }, { name: 'broken' }],
      },
      'Sunny.',
    ]
    const { runtime, store } = setUp({ script })
    const run = runtime.run('guide', 'go')
    const live = await all(agentApiStream(run))
    const encode = async () => {
      const encoder = createAgentEncoder()
      return toRunEvents(run.runId, await store.read(run.runId)).flatMap(event => encoder.push(event))
    }
    const again = await encode()
    expect(again).toEqual(await encode())
    expect({ ...end(again), sequence_number: null }).toEqual({ ...end(live), sequence_number: null })
    expect(again.length).toBeLessThan(live.length)
  })

  it('any model output gives the same messages live and from the journal', async () => {
    const ids = fc.constantFrom('a', 'b', '')
    const piece = fc.oneof(
      fc.record({ type: fc.constant('text.delta' as const), text: fc.string({ maxLength: 3 }) }),
      fc.record({ type: fc.constant('reasoning.delta' as const), text: fc.string({ maxLength: 3 }) }),
      fc.constantFrom<ModelEvent>(
        { type: 'text.end' },
        { type: 'reasoning.end', providerData: { provider: 'scripted', data: 1 } },
        { type: 'opaque', providerData: { provider: 'scripted', data: 2 } },
        { type: 'file', part: { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AA' } } },
      ),
      fc.record({ type: fc.constant('tool-call.start' as const), callId: ids, name: fc.constant('weather') }),
      fc.record({ type: fc.constant('tool-call.delta' as const), callId: ids, delta: fc.constantFrom('{', '}') }),
      fc.record({
        type: fc.constant('tool-call' as const),
        callId: ids,
        name: fc.constantFrom('weather', 'broken', 'none'),
        arguments: fc.constantFrom('{}', '', '{'),
      }),
    )
    const turns = fc.array(fc.array(piece, { maxLength: 10 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(turns, fc.constantFrom('snapshot' as const, 'delta' as const), async (script, toolArguments) => {
        const steps = script.map(events => ({
          events: [...events, { type: 'finish' as const, reason: 'stop' as const }],
        }))
        const { runtime, store } = setUp({ script: [...steps, 'Done.'] })
        const run = runtime.run('guide', 'go')
        const live = await all(agentApiStream(run, { toolArguments }))
        const encoder = createAgentEncoder()
        const again = toRunEvents(run.runId, await store.read(run.runId)).flatMap(event => encoder.push(event))
        expect(checkAgentEvents(live)).toEqual([])
        expect(checkAgentEvents(again)).toEqual([])
        const finished = (events: readonly AgentEvent[]) => ({
          ...end(events),
          sequence_number: null,
          output: end(events).output?.filter(({ status }) => status === 'completed'),
        })
        expect(finished(again)).toEqual(finished(live))
      }),
      { numRuns: 200 },
    )
  })

  it('a client that starts watching during an answer gets the whole answer', async () => {
    const { runId, entries } = await journalOf({ script: ['Hello world'] })
    const events = toRunEvents(runId, entries)
    const late: RunEvent = { ...events[0]!, type: 'text.delta', turn: 1, text: 'world' } as RunEvent
    const encoder = createAgentEncoder()
    const sent = [...events.slice(0, 2), late, ...events.slice(2)].flatMap(event => encoder.push(event))
    expect(responseText(end(sent))).toBe('Hello world')
    expect(checkAgentEvents(sent)).toEqual([])
  })

  it('the encoder ignores events of other runs and events after the end', async () => {
    const { runId, entries } = await journalOf({ script: ['a'] })
    const events = toRunEvents(runId, entries)
    const encoder = createAgentEncoder({ responseId: 'r', sessionId: 's' })
    const sent = events.flatMap(event => [...encoder.push(event), ...encoder.push({ ...event, runId: 'other' })])
    expect(sent.filter(event => event.object === 'response').map(({ id }) => id)).toEqual(['r', 'r', 'r'])
    expect(encoder.ended).toBe(true)
    expect(encoder.push(events[0]!)).toEqual([])
    expect(encoder.end()).toEqual([])
  })

  it('the encoder reports a run that never started as failed', () => {
    const events = createAgentEncoder({ responseId: 'r', now: () => 5_000 }).end(new Error('secret'))
    expect(end(events)).toMatchObject({
      id: 'r',
      status: 'failed',
      created_at: 5,
      error: { code: 'AGENT_UNKNOWN_ERROR' },
    })
    expect(checkAgentEvents(events)).toEqual([])
  })

  it('the encoder sends an event for each of ten thousand deltas, and a slow reader gets them joined', async () => {
    const { runtime } = setUp({ script: [{ text: 'ab'.repeat(10_000), chunkSize: 2 }] })
    const encoder = createAgentEncoder()
    const events = []
    for await (const event of runtime.run('guide', 'go')) events.push(...encoder.push(event))
    expect(responseText(end(events))).toHaveLength(20_000)
    const slow = await scenario('ten thousand deltas')
    expect(responseText(end(slow))).toHaveLength(20_000)
    expect(slow.length).toBeLessThanOrEqual(10_006)
  })

  it('a reader that leaves during a pending event stops watching at once', async () => {
    let left = 0
    const silent: AsyncIterable<RunEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: async () => {
          left++
          return { value: undefined, done: true }
        },
      }),
    }
    const stream = agentApiStream(silent)
    void stream.next()
    await stream.return?.()
    expect(left).toBe(1)
  })
})
