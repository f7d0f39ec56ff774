import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { AgentResponse } from '@parley/agent-api'
import { notTried } from '@parley-tooling/test-run/not-tried'
import { beforeAll, describe, expect, it } from 'vitest'
import { readAsPython } from './__fixtures__/python-reader.ts'
import { scenariosOf } from './__fixtures__/scenarios.ts'
import { eventsOf } from './__fixtures__/sse.ts'
import { readAsWebUi, type WebUiCard } from './__fixtures__/web-ui-reader.ts'

const scenarios = scenariosOf('reference')
const names = Object.keys(scenarios)
const streams: Record<string, string> = {}

beforeAll(async () => {
  for (const [name, stream] of Object.entries(scenarios)) streams[name] = await stream()
}, 60_000)

const streamOf = (name: string): string => streams[name] ?? ''

function endOf(name: string): AgentResponse {
  const last = eventsOf(streamOf(name)).at(-1)
  if (last?.object !== 'response') throw new Error(`${name} has no end`)
  return last
}

const saidOf = (cards: readonly WebUiCard[]): string =>
  cards.flatMap(({ type, text }) => (type === 'message' ? [text] : [])).join('')

const ofType = (cards: readonly WebUiCard[], type: RegExp): readonly WebUiCard[] =>
  cards.filter(card => type.test(card.type))

describe('the web UI of the reference', () => {
  it.each(names)('the web UI shows the end and the error of the scenario: %s', name => {
    const { status, error, usage } = endOf(name)
    const view = readAsWebUi(streamOf(name))
    expect(view.loading).toBe(false)
    expect(view.error).toEqual(status === 'completed' ? undefined : error)
    if (status !== 'completed') expect(view.error?.message).toMatch(/\w/)
    if (usage !== null) expect(view.usage).toEqual({ input: usage['input_tokens'], output: usage['output_tokens'] })
  })

  it.each(names)('the web UI shows the same cards before and after the end: %s', name => {
    const stream = streamOf(name)
    const beforeEnd = stream.slice(0, stream.trimEnd().lastIndexOf('\n\n') + 2)
    expect(readAsWebUi(stream).cards).toEqual(readAsWebUi(beforeEnd).cards)
  })

  it.each(names)('the web UI shows every call with its arguments, followed by its result: %s', name => {
    const { cards } = readAsWebUi(streamOf(name))
    const ids = (type: RegExp) => ofType(cards, type).map(card => card.data?.['call_id'])
    const calls = ids(/_call$/)
    expect(new Set(calls).size).toBe(calls.length)
    for (const card of ofType(cards, /_call$/)) expect(card.data?.['arguments']).toMatch(/./)
    for (const id of ids(/_output$/)) expect(calls.filter(call => call === id)).toHaveLength(1)
    const pending = ids(/_approval_request$/)
    expect(calls.filter(id => !ids(/_output$/).includes(id) && !pending.includes(id))).toEqual([])
  })

  it.each([
    ['text', 'The quick brown fox jumps over the lazy dog.'],
    ['ten thousand deltas', 'ab'.repeat(10_000)],
    ['unicode', 'caf\u00e9 \u6771\u4eac \u{1f469}\u200d\u{1f680} \u2028\u2029\u0085 data: x\n\ndata: {"y":1}'],
    ['tool loop', 'Let me look. Again. Sunny in both.'],
    ['empty answer', ''],
    ['approval given', 'Done.'],
    ['structured output by a tool', '{"ok":1}'],
    ['failure during output', 'The quick brown fox jumps over the lazy dog.'],
    ['cancelled', 'The quick brown fox jumps over the lazy dog.'],
    ['turn limit', 'Let me look. '],
    ['reconnect in the middle', 'The quick brown fox jumps over the lazy dog.'],
    ['from the journal', 'Let me look. Again. Sunny in both.'],
  ])('the web UI shows the text once: %s', (name, text) => {
    expect(saidOf(readAsWebUi(streamOf(name)).cards)).toBe(text)
  })

  it('the web UI shows the input and the output of tool calls', () => {
    const calls = (name: string) =>
      ofType(readAsWebUi(streamOf(name)).cards, /call/).map(({ type, data }) => [type, data])
    expect(calls('tool loop').slice(0, 2)).toMatchObject([
      ['plugin_call', { name: 'weather', arguments: '{"city":"Oslo"}' }],
      ['plugin_call_output', { name: 'weather', output: 'sunny' }],
    ])
    expect(calls('tool of a server')).toMatchObject([
      ['mcp_call', { name: 'query', arguments: '{"sql":"select 1"}', server_label: 'db' }],
      ['mcp_call_output', { name: 'query', output: '1' }],
    ])
    expect(calls('failing tool').at(-1)).toMatchObject(['plugin_call_output', { output: 'no power' }])
    expect(calls('approval rejected').at(-1)?.[1]).toMatchObject({
      output: expect.stringContaining('too dear') as string,
    })
    const [request] = ofType(readAsWebUi(streamOf('pending approval')).cards, /approval_request/)
    expect(request?.data).toMatchObject({
      name: 'pay',
      arguments: '{}',
      server_label: 'guide',
      id: expect.any(String) as string,
    })
  })

  it.each(['cancelled', 'turn limit', 'cut off by its length', 'rejected by a filter'])(
    'the web UI waits forever without the reference profile: %s',
    async name => {
      expect(readAsWebUi((await scenariosOf('standard')[name]?.()) ?? '').loading).toBe(true)
    },
  )
})

describe('the Python client of the reference', () => {
  it.each(names)('the Python client reads every event over both transports: %s', name => {
    const stream = streamOf(name)
    const { status, error } = endOf(name)
    const view = readAsPython(stream, 'blocking')
    expect(view).toMatchObject({ events: eventsOf(stream).length, status, error: error?.message ?? null })
    expect(readAsPython(stream, 'async')).toEqual(view)
    for (const [id, text] of Object.entries(view.written)) expect(view.said[id]).toBe(text)
  })

  // The repository does not install Python. `readAsPython` models it, and this test compares the model with the original.
  const hasPython = spawnSync('python3', ['--version']).status === 0

  it('readAsPython reads the same events as Python itself', context => {
    if (!hasPython) return notTried(context, 'the Python client of the reference', 'python3 is not installed')
    const script = path.join(import.meta.dirname, '__fixtures__/python_client.py')
    const { stdout } = spawnSync('python3', [script], { input: JSON.stringify(streams), maxBuffer: 64 * 1024 * 1024 })
    const read = JSON.parse(stdout.toString()) as unknown
    const expected = names.map(name => {
      const [blocking, async] = (['blocking', 'async'] as const).map(how => readAsPython(streamOf(name), how))
      return [name, { blocking, async }]
    })
    expect(read).toEqual(Object.fromEntries(expected))
  })
})
