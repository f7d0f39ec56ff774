// Runs that the metrics measure: the workloads of the bench kit, small enough to repeat in many processes.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const packages = path.join(import.meta.dirname, '../../packages')
const load = (name, file = 'index') => import(path.join(packages, name, 'src', `${file}.ts`))
const USAGE = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
const ADD = {
  name: 'add',
  description: 'Adds two integers and returns the sum.',
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: async ({ a, b }) => String(a + b),
}

/** A context policy that counts each group before each model call. */
export const COUNTING = {
  name: 'counting',
  due: view => view.groups.reduce((sum, { messages }) => sum + view.count(messages), 0) > 1e9,
  compact: () => undefined,
}
const COUNTER = { countText: text => text.length, count: () => 10 }

/** A model that calls the tool in each turn but the last. `gate` returns what the last call waits for. */
function createModel({ turns, chunks, gate, window, output }) {
  const words = Array.from({ length: chunks }, () => 'toke ')
  const texts = output === undefined ? words : ['{"text":"', ...words, '"}']
  return {
    provider: 'memory',
    id: 'script',
    info: { contextWindow: window },
    borrowsMessages: true,
    async *stream({ messages }) {
      const last = messages.at(-1)
      const turn = last.role === 'tool' ? Number(last.callId.slice(5)) + 1 : 1
      if (turn < turns) yield { type: 'tool-call', callId: `call_${turn}`, name: 'add', arguments: '{"a":1,"b":2}' }
      else {
        const waiting = gate?.()
        if (waiting) await waiting
        for (const text of texts) yield { type: 'text.delta', text }
      }
      yield { type: 'usage', usage: USAGE }
      yield { type: 'finish', reason: turn < turns ? 'tool-calls' : 'stop' }
    },
  }
}

/** Creates a function that runs the scripted agent once. */
export async function createLoop({
  turns = 10,
  chunks = 4,
  gate,
  read = true,
  middleware,
  history = 0,
  durable = false,
  window = 10_000_000,
  context,
  output,
}) {
  const { createRuntime, defineAgent } = await load('engine')
  const { slidingWindow } = await load('context-policies')
  const agent = defineAgent({
    name: 'bench',
    model: createModel({ turns, chunks, gate, window, output }),
    tools: [ADD],
    limits: { maxTurns: 1_000_000, maxTokens: 1e12 },
    context: context ?? slidingWindow({ maxMessages: Infinity }),
    ...(context === undefined ? {} : { tokenCounter: COUNTER }),
    ...(output === undefined ? {} : { output }),
    ...(middleware === undefined ? {} : { middleware: [middleware] }),
  })
  const store = durable ? await openStore() : undefined
  const runtime = createRuntime({ agents: [agent], store })
  const options = history === 0 ? {} : { history: createHistory(history) }
  let runs = 0
  return async () => {
    const session = durable ? { sessionId: `s${++runs}` } : {}
    const run = runtime.run('bench', 'go', { ...options, ...session })
    if (read) for await (const event of run) if (event.type === 'run.failed') throw new Error('the run failed')
    const result = await run.result
    if (result.status !== 'completed') throw new Error(JSON.stringify(result.error ?? result.status))
  }
}

async function openStore() {
  const { openSqliteStore } = await load('stores/sqlite')
  const folder = mkdtempSync(path.join(process.env.BENCH_DATA ?? tmpdir(), 'parley-tricks-'))
  return openSqliteStore({ path: path.join(folder, 'parley.db') })
}

/** `count` messages: questions, tool calls, their results and answers. */
function createHistory(count) {
  return Array.from({ length: count }, (_, index) => {
    const content = [{ type: 'text', text: `message ${index} ${'lorem ipsum '.repeat(10)}` }]
    const callId = `old_${index - (index % 4)}`
    switch (index % 4) {
      case 1:
        return {
          role: 'assistant',
          content: [{ type: 'tool-call', callId: `old_${index - 1}`, name: 'add', arguments: '{"a":1,"b":2}' }],
        }
      case 2:
        return { role: 'tool', callId, name: 'add', content }
      case 3:
        return { role: 'assistant', content }
      default:
        return { role: 'user', content }
    }
  })
}

/** Creates a function that runs a workflow once: a map whose branches have one tool step each. */
export async function createMap(items) {
  const [{ createRuntime }, { createMemoryStore }, { defineWorkflow }] = await Promise.all(
    ['engine', 'stores/memory', 'workflow'].map(name => load(name)),
  )
  const echo = {
    name: 'echo',
    description: 'Echoes.',
    input: { type: 'object' },
    effect: 'read',
    execute: input => input.value,
  }
  const steps = [{ type: 'map', over: 'list', steps: [{ type: 'tool', tool: 'echo', input: { value: '{{item}}' } }] }]
  const workflow = defineWorkflow({ name: 'map', inputs: { list: {} }, steps }, { tools: [echo] })
  const runtime = createRuntime({ agents: [workflow], store: createMemoryStore() })
  const variables = { list: Array.from({ length: items }, (_, item) => item) }
  return async () => {
    const { status } = await runtime.run('map', 'go', { variables }).result
    if (status !== 'completed') throw new Error(`the run ended as ${status}`)
  }
}

/** Creates a function that reads one answer of an OpenAI-compatible server through `fetch`. */
export async function createAnswerReader(fetch, { baseUrl = 'http://localhost/v1', messages: count = 40 } = {}) {
  const { createOpenAI } = await load('providers/openai')
  const model = createOpenAI({ baseUrl, apiKey: 'none', fetch }).model('m')
  const messages = createHistory(count)
  return async () => {
    let deltas = 0
    const request = { system: [{ text: 'Be brief.' }], messages, tools: [], settings: {} }
    for await (const event of model.stream(request, { signal: new AbortController().signal })) {
      if (event.type === 'text.delta') deltas++
    }
    return deltas
  }
}

/** A `fetch` whose answers are `chunks` text deltas, `batch` in each piece of the body. No network. */
export function answerInMemory({ chunks, batch }) {
  const pieces = answerPieces({ chunks, batch })
  return async () => {
    let at = 0
    const reader = {
      read: () =>
        Promise.resolve(at < pieces.length ? { done: false, value: pieces[at++] } : { done: true, value: undefined }),
      cancel: () => Promise.resolve(),
    }
    return { ok: true, status: 200, headers: new Headers(), body: { getReader: () => reader } }
  }
}

/** The body of an answer in the chat-completions format. */
export function answerPieces({ chunks, batch }) {
  const line = delta =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [delta] })}\n\n`
  const text = line({ index: 0, delta: { content: 'toke ' }, finish_reason: null })
  const last = `${line({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`
  const full = Array.from({ length: Math.ceil(chunks / batch) }, () => Buffer.from(text.repeat(batch)))
  return [...full, Buffer.from(last)]
}

export { load }
