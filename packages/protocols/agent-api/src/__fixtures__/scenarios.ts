import { defineTool, toolError, toolOk, userMessage, type Entry, type ModelEvent, type RunEvent, type UserMessage } from '@parley/core'
import { createRuntime, defineAgent, type Agent, type Run, type RunOptions } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { agentApiStream, toRunEvents, type AgentEvent } from '../index.ts'
import type { AgentEncoderOptions } from '../encoder/create-agent-encoder.ts'

const anything = { type: 'object' as const }

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  input: anything,
  effect: 'read',
  execute: () => 'sunny',
})
const broken = defineTool({ name: 'broken', description: 'Fails.', input: anything, execute: () => toolError('no power') })
const slow = defineTool({
  name: 'slow',
  description: 'Tells how far it is.',
  input: anything,
  execute: (_, { progress }) => {
    progress({ percent: 50 })
    progress('nearly there')
    return 'done'
  },
})
const endless = defineTool({
  name: 'endless',
  description: 'Waits to be stopped.',
  input: anything,
  execute: (_, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    }),
})
const search = defineTool({ name: 'mcp__db__query', description: 'Asks.', input: anything, execute: () => '1' })
const pay = defineTool({ name: 'pay', description: 'Pays.', input: anything, permission: 'ask', execute: () => 'paid' })
const picture = defineTool({
  name: 'picture',
  description: 'Draws.',
  input: anything,
  execute: () =>
    toolOk([
      { type: 'text', text: 'Here:' },
      { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } },
    ]),
})
const tools = [weather, broken, slow, endless, search, pay, picture]

const call = (name: string, input: unknown = {}) => ({ toolCalls: [{ name, input }] })

export interface Given {
  readonly script: Script
  readonly agent?: Partial<Agent>
  readonly input?: string | UserMessage
  readonly options?: RunOptions
  readonly encoder?: AgentEncoderOptions
}

/** Creates a runtime whose model follows the script, with a clock that does not advance. */
export function setUp({ script, agent = {} }: Given) {
  const store = createMemoryStore()
  const agents = [defineAgent({ name: 'guide', model: scriptedModel(script), tools, ...agent })]
  return { store, runtime: createRuntime({ store, agents, clock: fakeClock() }) }
}

export async function all<TItem>(items: AsyncIterable<TItem>): Promise<TItem[]> {
  const list: TItem[] = []
  for await (const item of items) list.push(item)
  return list
}

async function streamOf(given: Given): Promise<readonly AgentEvent[]> {
  const { runtime } = setUp(given)
  return all(agentApiStream(runtime.run('guide', given.input ?? 'go', given.options), given.encoder))
}

/** Cancels the run at the first event for which `stop` is true. */
async function cancelled(given: Given, stop: (event: RunEvent) => boolean): Promise<readonly AgentEvent[]> {
  const { runtime } = setUp(given)
  const run = runtime.run('guide', 'go')
  void (async () => {
    for await (const event of run) if (stop(event)) void run.cancel({ kind: 'user', detail: 'enough' })
  })()
  return all(agentApiStream(run, given.encoder))
}

/** Returns the stream after a decision about a run that is suspended for approval. */
async function decided(approve: boolean, calls: readonly string[] = ['pay']): Promise<readonly AgentEvent[]> {
  const toolCalls = calls.map(name => ({ name }))
  const { runtime, store } = setUp({ script: [{ text: 'Paying. ', toolCalls }, 'Done.'] })
  const run = runtime.run('guide', 'go')
  const result = await run.result
  if (result.status !== 'suspended' || result.approvals[0] === undefined) throw new Error('the run is not suspended')
  const prior = await store.read(run.runId)
  const decision = approve ? { type: 'approved' as const } : { type: 'rejected' as const, reason: 'too dear' }
  return all(agentApiStream(await runtime.decide(run.runId, result.approvals[0].approvalId, { decision }), { prior }))
}

/** Returns the stream of a run whose events are changed. */
async function changed(given: Given, change: (events: readonly RunEvent[]) => AsyncIterable<RunEvent>) {
  const { runtime } = setUp(given)
  return all(agentApiStream(change(await all(runtime.run('guide', 'go')))))
}

const raw = (...events: ModelEvent[]) => ({ events })
const finish: ModelEvent = { type: 'finish', reason: 'stop' }
const overloaded = { code: 'model-overloaded', provider: 'scripted', detail: 'Try later.' } as const
const words = 'The quick brown fox jumps over the lazy dog.'
const unicode = 'caf\u00e9 \u6771\u4eac \u{1f469}\u200d\u{1f680} \u2028\u2029\u0085 data: x\n\ndata: {"y":1}'
const image: UserMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } },
    { type: 'file', mediaType: 'application/pdf', source: { type: 'url', url: 'https://example.com/a.pdf' } },
  ],
}

/** Runs an agent and returns the journal of the run. */
export async function journalOf(given: Given): Promise<{ runId: string; entries: readonly Entry[] }> {
  const { runtime, store } = setUp(given)
  const run: Run = runtime.run('guide', 'go')
  await run.result
  return { runId: run.runId, entries: await store.read(run.runId) }
}

async function* listed(events: readonly RunEvent[]): AsyncGenerator<RunEvent, void> {
  yield* events
}

const loop: Script = [
  { reasoning: 'Look first.', text: 'Let me look. ', ...call('weather', { city: 'Oslo' }) },
  { text: 'Again. ', ...call('weather', { city: 'Bergen' }) },
  'Sunny in both.',
]

/** The streams of runs of all kinds. */
export const SCENARIOS: Readonly<Record<string, () => Promise<readonly AgentEvent[]>>> = {
  text: () => streamOf({ script: [words] }),
  unicode: () => streamOf({ script: [{ text: unicode, chunkSize: 3 }] }),
  'empty answer': () => streamOf({ script: [''] }),
  'one character at a time': () => streamOf({ script: [{ text: words, chunkSize: 1 }] }),
  'ten thousand deltas': () => streamOf({ script: [{ text: 'ab'.repeat(10_000), chunkSize: 2 }] }),
  reasoning: () => streamOf({ script: [{ reasoning: 'They ask. I answer.', text: words }] }),
  'reasoning between texts': () =>
    streamOf({
      script: [
        raw(
          { type: 'reasoning.delta', text: 'a' },
          { type: 'text.delta', text: 'b' },
          { type: 'reasoning.delta', text: 'c' },
          { type: 'text.delta', text: 'd' },
          finish,
        ),
      ],
    }),
  'text around a call': () =>
    streamOf({
      script: [
        raw(
          { type: 'text.delta', text: 'before ' },
          { type: 'tool-call.start', callId: 'c1', name: 'weather' },
          { type: 'tool-call', callId: 'c1', name: 'weather', arguments: '{}' },
          { type: 'text.delta', text: 'after' },
          { type: 'finish', reason: 'tool-calls' },
        ),
        'Done.',
      ],
    }),
  'tool loop': () => streamOf({ script: loop }),
  'argument deltas': () => streamOf({ script: loop, encoder: { toolArguments: 'delta' } }),
  'parallel calls': () =>
    streamOf({ script: [{ toolCalls: [{ name: 'weather' }, { name: 'slow' }, { name: 'broken' }] }, 'Done.'] }),
  'failing tool': () => streamOf({ script: [call('broken'), 'It failed.'] }),
  'unknown tool': () => streamOf({ script: [call('nothing'), 'There is none.'] }),
  'arguments that are not JSON': () =>
    streamOf({ script: [{ toolCalls: [{ name: 'weather', arguments: '{"a":' }] }, 'Sorry.'] }),
  'no arguments at all': () => streamOf({ script: [{ toolCalls: [{ name: 'weather', arguments: '' }] }, 'Done.'] }),
  'tool with progress': () => streamOf({ script: [call('slow'), 'Done.'] }),
  'tool that returns a file': () => streamOf({ script: [call('picture'), 'Done.'] }),
  'tool of a server': () => streamOf({ script: [call('mcp__db__query', { sql: 'select 1' }), 'One.'] }),
  'a call id used twice': () =>
    streamOf({
      script: [
        { toolCalls: [{ name: 'weather', callId: 'x' }] },
        { toolCalls: [{ name: 'weather', callId: 'x' }] },
        'Done.',
      ],
    }),
  'a call without an id': () =>
    streamOf({
      script: [
        raw(
          { type: 'tool-call', callId: '', name: 'weather', arguments: '{}' },
          { type: 'finish', reason: 'tool-calls' },
        ),
        'Done.',
      ],
    }),
  'a call that is never finished': () =>
    streamOf({
      script: [raw({ type: 'text.delta', text: 'a' }, { type: 'tool-call.start', callId: 'c', name: 'weather' }, finish)],
    }),
  'suspended for approval': () => streamOf({ script: [{ text: 'Paying. ', ...call('pay') }, 'Done.'] }),
  'approval given': () => decided(true),
  'approval refused': () => decided(false),
  'one of two approvals given': () => decided(true, ['pay', 'pay']),
  'approval within the run': () =>
    streamOf({ script: [call('pay'), 'Done.'], agent: { onApproval: () => ({ type: 'modified', input: { a: 1 } }) } }),
  'failure before output': () => streamOf({ script: [{ error: overloaded }] }),
  'failure during output': () => streamOf({ script: [{ reasoning: 'hm', text: words, error: overloaded }] }),
  'failure during a call': () =>
    streamOf({ script: [{ events: [{ type: 'tool-call.start', callId: 'c', name: 'weather' }], error: overloaded }] }),
  'cancelled while it writes': () =>
    cancelled({ script: [{ text: words, hang: true }] }, event => event.type === 'text.delta'),
  'cancelled while a tool runs': () =>
    cancelled({ script: [call('endless')] }, event => event.type === 'tool.started'),
  'cancelled, for clients of the reference': () =>
    cancelled(
      { script: [{ text: words, hang: true }], encoder: { profile: 'reference' } },
      event => event.type === 'text.delta',
    ),
  'input refused by a filter': () =>
    streamOf({
      script: ['Hi.'],
      agent: { inputFilters: [{ name: 'guard', check: () => ({ type: 'reject', reason: 'not here' }) }] },
    }),
  'truncated answer retried': () =>
    streamOf({ script: [{ text: 'Half an', finish: 'length' }, 'A whole answer.'], agent: { onTruncated: 'retry' } }),
  'structured output': () =>
    streamOf({
      script: ['{"no": 1}', '{"ok": 1}'],
      agent: { output: { type: 'object', required: ['ok'] }, outputOptions: { strategy: 'prompt' } },
    }),
  'structured output by a tool': () =>
    streamOf({
      script: [call('final_answer', { ok: 1 })],
      agent: { output: { type: 'object', required: ['ok'] }, outputOptions: { strategy: 'tool' } },
    }),
  'turn limit': () => streamOf({ script: loop, agent: { limits: { maxTurns: 1 } } }),
  'turn limit, for clients of the reference': () =>
    streamOf({ script: loop, agent: { limits: { maxTurns: 1 } }, encoder: { profile: 'reference' } }),
  'cut off by its length': () => streamOf({ script: [{ text: words, finish: 'length' }] }),
  'cut off by a filter': () => streamOf({ script: [{ text: words, finish: 'content-filter' }] }),
  refusal: () => streamOf({ script: [{ text: 'No.', finish: 'refusal' }] }),
  'image and file as input': () => streamOf({ script: ['A cat.'], input: image }),
  'file as output': () =>
    streamOf({
      script: [
        raw(
          { type: 'text.delta', text: 'Here:' },
          { type: 'file', part: { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'AAAA' } } },
          { type: 'file', part: { type: 'file', mediaType: 'audio/wav', source: { type: 'url', url: 'https://x.y/z' } } },
          finish,
        ),
      ],
    }),
  'from the journal': async () => {
    const { runId, entries } = await journalOf({ script: loop })
    return all(agentApiStream(listed(toRunEvents(runId, entries))))
  },
  'watched from the middle': () => changed({ script: loop }, events => listed(events.slice(6))),
  'events that stop': () => changed({ script: [words] }, events => listed(events.slice(0, 6))),
  'events that break': () =>
    changed({ script: [words] }, async function* (events) {
      yield* events.slice(0, 6)
      throw new Error('connection lost')
    }),
  'released by its process': () =>
    changed({ script: [words] }, async function* (events) {
      yield* events.slice(0, 6)
      const { runId, sessionId, path, seq, at } = events[5] as RunEvent
      yield { runId, sessionId, path, seq, at, type: 'run.interrupted', error: { code: 'store-fenced', runId } }
    }),
  'a follow-up message': async () => {
    const { runtime } = setUp({ script: ['First.', 'Second.'] })
    const run = runtime.run('guide', 'go')
    void (async () => {
      for await (const event of run) if (event.type === 'run.started') await run.followUp(userMessage('and more'))
    })()
    return all(agentApiStream(run))
  },
}
