// Connects @parley/prompty to the test vectors of the format:
//   node --conditions=@parley/source <kit>/run-vectors.mjs --adapter tooling/kits/prompty-adapter.mjs --vectors <kit>/vectors-given.json
import { createAnthropic, rulesOfModel } from '@parley/anthropic'
import { ParleyError } from '@parley/core'
import { createOpenAI, quirkProfiles } from '@parley/openai'
import {
  createPrompty,
  createSteering,
  enrichModelInfo,
  parseMessages,
  parsePrompty,
  renderSegments as renderPieces,
  renderTemplate,
  toModelInfo,
  validateInputs as fillInputs,
} from '@parley/prompty'
import { createPrompty as createNodePrompty } from '@parley/prompty/node'

export { replay, runTurn } from './prompty-turns.mjs'

// -- load

export const load = ({ path, env }) => createNodePrompty({ environment: { ...process.env, ...env } }).load(path)

export const validateInputs = async ({ path, inputs, env }) => fillInputs(await load({ path, env }), inputs)

// -- render and parse

export const render = ({ template, engine, inputs, threadInputs }) =>
  renderTemplate({ template, engine, inputs, richInputs: threadInputs }).text

export const renderSegments = ({ template, engine, inputs, strictProps }) =>
  renderPieces({ template, engine, inputs, strictProps })

export const parse = ({ rendered, threadInputs = {}, nonces }) =>
  parseMessages(rendered, {
    threads: Object.fromEntries(Object.entries(nonces).map(([name, marker]) => [marker, threadInputs[name]])),
  })

// -- one model call

/** Writes a prompt file for the given model and loads it. */
const agentOf = ({
  provider = 'openai',
  apiType = 'chat',
  modelId = 'model',
  tools = [],
  options = {},
  outputs = [],
}) =>
  parsePrompty(`---\n${JSON.stringify({ model: { id: modelId, provider, apiType, options }, tools, outputs })}\n---\n`)

const toMessages = messages =>
  messages.map(({ content, tool_calls, tool_call_id, metadata, ...rest }) => ({
    ...rest,
    content: typeof content === 'string' ? [{ kind: 'text', value: content }] : (content ?? []),
    metadata: {
      ...metadata,
      ...(tool_calls == null ? {} : { tool_calls }),
      ...(tool_call_id == null ? {} : { tool_call_id }),
    },
  }))

const shared = { apiKey: 'kit', retry: { maxRetries: 0 } }

const hostWith = (fetch, modelId = 'model') =>
  createPrompty({
    providers: {
      // OpenAI accepts the arguments of earlier calls exactly as the model wrote them.
      openai: connection =>
        createOpenAI({
          ...connection,
          ...shared,
          fetch,
          quirks: { ...quirkProfiles.openai, brokenArguments: 'verbatim' },
        }),
      // The vectors use model names without regard to what a model supports, so the rules here accept every setting.
      anthropic: connection =>
        createAnthropic({
          ...connection,
          ...shared,
          fetch,
          models: { [modelId]: { rules: { ...rulesOfModel(modelId), sampling: 'both', jsonOutput: true } } },
        }),
    },
  })

/** Returns the body of the request for a prompt file and messages. */
async function wire(provider, { apiType, modelId, messages, tools, options, outputs }) {
  const agent = await agentOf({ provider, apiType, modelId, tools, options, outputs })
  let body
  const seen = new Error('The request was seen.')
  const host = hostWith(async (_url, init) => {
    body = JSON.parse(init.body)
    throw seen
  }, modelId)
  try {
    await host.run(agent, toMessages(messages), { settings: { cache: 'off' } })
  } catch (error) {
    if (body === undefined) throw error
  }
  return plainSpelling(body)
}

/** Converts a text that is a list of one part to a string. Some APIs accept both forms, and the vectors use strings. */
function plainSpelling(body) {
  const out = { ...body }
  if (Array.isArray(out.system)) out.system = out.system.map(block => block.text).join('\n\n')
  if (Array.isArray(out.input)) {
    out.input = out.input.map(item => {
      const [only, ...rest] = Array.isArray(item.content) ? item.content : []
      const isPlain = rest.length === 0 && (only?.type === 'input_text' || only?.type === 'output_text')
      return isPlain ? { ...item, content: only.text } : item
    })
  }
  return out
}

export const wireOpenAI = request => wire('openai', request)
export const wireAnthropic = request => wire('anthropic', request)

/** Returns the output of a prompt file for a response of the server. */
async function process_(provider, { apiType, response, outputs }) {
  const agent = await agentOf({ provider, apiType, outputs })
  const answer = new Response(JSON.stringify(response), { headers: { 'content-type': 'application/json' } })
  // The response contains one vector for each text.
  const texts = apiType === 'embedding' ? response.data.length : 1
  const message = { role: 'user', content: [{ kind: 'text', value: 'hi' }] }
  return hostWith(async () => answer).run(
    agent,
    Array.from({ length: texts }, () => message),
  )
}

export const processOpenAI = request => process_('openai', request)
export const processAnthropic = request => process_('anthropic', request)

export async function processStreamOpenAI({ stream }) {
  const agent = await agentOf({})
  const chunks = []
  let broken
  const source = stream[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (done) {
          controller.enqueue(encoder.encode('data: [DONE]\n\n'))
          controller.close()
        } else controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
      } catch (error) {
        broken = error
        controller.error(error)
      }
    },
    cancel: () => source.return(),
  })
  const answer = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  let failure
  try {
    await hostWith(async () => answer).run(agent, [{ role: 'user', content: [{ kind: 'text', value: 'hi' }] }], {
      stream: true,
      onText: value => chunks.push({ kind: 'text', value }),
    })
  } catch (error) {
    const isRefusal = ParleyError.is(error, 'model-content-filter')
    // A refusal is a complete answer of the server. After a broken transport the outcome is unknown.
    if (isRefusal) chunks.length = 0
    failure = { outcome: isRefusal ? 'determinate' : 'indeterminate', message: broken?.message ?? error.message }
    chunks.push({ kind: 'failure', failure })
  }
  return {
    chunks,
    partialText: chunks.map(chunk => chunk.value ?? '').join(''),
    requiresReconciliation: failure?.outcome === 'indeterminate',
    completionCommitted: failure === undefined,
    failure,
  }
}

// -- agent mode

export async function agent(scenario) {
  const { toolFunctions, attachSteering, onEvent, parentInputs, messages, tools, ...options } = scenario
  const { maxIterations, stream, signal, contextBudget, parallelToolCalls, guardrails, fetch } = options
  const steering = createSteering()
  attachSteering(message => steering.send(message))
  const functions = Object.entries(toolFunctions).map(([name, run]) => [name, { execute: input => run(input) }])
  return hostWith(fetch).executeAgent(await agentOf({ tools }), {
    messages: toMessages(messages),
    inputs: parentInputs,
    tools: Object.fromEntries(functions),
    maxIterations,
    stream,
    signal,
    contextBudget,
    parallelToolCalls,
    guardrails,
    steering,
    onEvent: ({ type, data }) => onEvent(type, data),
  })
}

// -- model catalog

export const mapModel = ({ provider, raw }) => toModelInfo(provider, raw)
export const enrich = ({ provider, base, dataset }) => enrichModelInfo(base, provider, dataset)
