// Parley in the bench kit's adapter interface: built packages, validation, limits and events on.
import path from 'node:path'
import { pathToFileURL } from 'node:url'

export const meta = { name: 'parley', peer: null, modes: ['stream'], persistent: true }

// Without `node:fs`: it takes 5 ms to import, which a cold start would count.
const root = process.env.PARLEY_ROOT ?? path.join(import.meta.dirname, '../..')
export const load = (name, entry = 'index') =>
  import(pathToFileURL(path.join(root, 'packages', name, `dist/${entry}.js`)).href)

const { createRuntime, defineAgent } = await load('engine')
const { slidingWindow } = await load('context-policies')

const TOOL = {
  name: 'add',
  description: 'Adds two integers and returns the sum.',
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, pad: { type: 'string' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
}
const USAGE = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

function memoryModel(script) {
  return {
    provider: 'memory',
    id: 'script',
    info: { contextWindow: 10_000_000 },
    borrowsMessages: true,
    async *stream({ messages }) {
      const last = messages.at(-1)
      const step = script.next(last.role === 'tool' ? last.callId : null)
      const wait = script.wait(step)
      if (wait) await wait
      if (step.calls) {
        for (const { id, name, json } of step.calls) yield { type: 'tool-call', callId: id, name, arguments: json }
      } else for (const text of step.textChunks) yield { type: 'text.delta', text }
      yield { type: 'usage', usage: USAGE }
      yield { type: 'finish', reason: step.calls ? 'tool-calls' : 'stop' }
    },
  }
}

async function httpModel({ baseUrl, modelId }, fetch) {
  const { createOpenAI } = await load('providers/openai')
  return createOpenAI({ baseUrl, apiKey: 'none', fetch }).model(modelId)
}

async function openStore(persistence) {
  if (!persistence) return undefined
  const { openSqliteStore } = await load('stores/sqlite')
  return openSqliteStore({ path: path.join(persistence.dir, 'parley.db') })
}

export async function createAgent({ script, model, history = [], persistence, fetch }) {
  const store = await openStore(persistence)
  const agent = defineAgent({
    name: 'bench',
    model: model === 'memory' ? memoryModel(script) : await httpModel(model, fetch),
    tools: [{ ...TOOL, execute: async input => script.tool(input) }],
    limits: { maxTurns: 1_000_000, maxTokens: 1e12 },
    // Like the peers, it sends every message; what it checks before each call is whether they fit the window.
    context: slidingWindow({ maxMessages: Infinity }),
  })
  const runtime = createRuntime({ agents: [agent], store })
  const prior = history.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] }))
  const options = prior.length === 0 ? {} : { history: prior }
  return {
    async run({ input, onText, sessionId }) {
      const run = runtime.run(
        'bench',
        input,
        sessionId === undefined || store === undefined ? options : { ...options, sessionId },
      )
      for await (const event of run) if (event.type === 'text.delta') onText?.(event.text)
      const result = await run.result
      if (result.status !== 'completed') throw new Error(JSON.stringify(result.error ?? result.status))
      return { text: result.text }
    },
    async close() {
      await runtime.close()
      await store?.[Symbol.asyncDispose]()
    },
  }
}
