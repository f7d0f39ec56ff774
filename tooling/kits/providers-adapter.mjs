// Connects our providers to the replay harness:
//   node --conditions=@parley/source <harness>/run-corpus.mjs --adapter tooling/kits/providers-adapter.mjs --providers openai-chat,openai-compat
import { createAnthropic } from '@parley/anthropic'
import { ParleyError } from '@parley/core'
import { createGoogle } from '@parley/google'
import { createOllama } from '@parley/ollama'
import { createOpenAI } from '@parley/openai'
import { isRetryable } from '@parley/provider-kit'
import { toModelRequest } from './recorded-request.mjs'

const CATEGORIES = {
  'model-auth': 'auth',
  'model-permission': 'permission',
  'model-not-found': 'not_found',
  'model-rate-limited': 'rate_limit',
  'model-quota': 'quota',
  'model-context-length': 'context_length',
  'model-content-filter': 'content_filter',
  'model-invalid-request': 'invalid_request',
  'model-overloaded': 'overloaded',
  'model-server': 'server',
  'model-timeout': 'timeout',
  'model-network': 'network',
  'model-stream': 'stream',
}
const FINISHES = {
  stop: 'stop',
  refusal: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'error',
}

const PROVIDERS = {
  anthropic: options => createAnthropic(options),
  'openai-chat': options => createOpenAI(options),
  'openai-responses': options => createOpenAI({ ...options, api: 'responses' }),
  gemini: createGoogle,
  ollama: createOllama,
}

/** The quirk profile of each server of the kit. A server that is not listed has no profile, so its cases use `generic`. */
const PROFILES = {
  openai: 'openai',
  azure: 'azure',
  'azure-foundry': 'azure',
  openrouter: 'openrouter',
  groq: 'groq',
  deepseek: 'deepseek',
  xai: 'xai',
  mistral: 'mistral',
  moonshot: 'moonshot',
  perplexity: 'perplexity',
  together: 'together',
  cerebras: 'cerebras',
  'z.ai': 'zai',
  vllm: 'vllm',
  'llama.cpp': 'llamacpp',
  lmstudio: 'lmstudio',
  'ollama-openai': 'ollama',
}

/** What the cases did not send, each with the number of calls. Printed at the end. */
const unsent = new Map()
process.on('exit', () => {
  for (const [what, calls] of unsent) console.log(`not sent in ${calls} calls: ${what}`)
})

/** The wire formats that this adapter supports. */
export const APIS = Object.keys(PROVIDERS)

function toError(error) {
  if (!ParleyError.is(error)) throw error
  const { info } = error
  const category = info.status === 413 && info.code === 'model-invalid-request' ? 'too_large' : CATEGORIES[info.code]
  return {
    category,
    status: info.status,
    retryable: isRetryable(info),
    retryAfterMs: info.retryAfterMs,
    message: info.detail,
  }
}

function toCall({ callId, name, arguments: text }) {
  try {
    return { id: callId, name, arguments: text === '' ? {} : JSON.parse(text) }
  } catch {
    return { id: callId, name, arguments: null, argumentsText: text }
  }
}

/** Collects the opaque values that a provider requires back in the next turn. The harness compares them. */
function opaqueOf({ data }) {
  const found = []
  for (const detail of data.reasoning_details ?? [])
    for (const field of ['signature', 'data']) if (detail[field]) found.push(detail[field])
  if (data.reasoning?.encrypted_content) found.push(data.reasoning.encrypted_content)
  // Anthropic
  for (const field of ['signature', 'redacted_thinking']) if (data[field]) found.push(data[field])
  const signature = data.extra_content?.google?.thought_signature
  if (signature) found.push(signature)
  if (data.thoughtSignature) found.push(data.thoughtSignature)
  if (data.part?.thoughtSignature) found.push(data.part.thoughtSignature)
  return found
}

/** Makes one model call for the harness. `opts.fetch` sends its requests. */
export async function complete(provider, baseUrl, opts) {
  const create = PROVIDERS[opts.api]
  if (create === undefined) throw new Error(`there is no provider for ${opts.api}`)
  const { timeoutMs } = opts
  const isOpenAI = opts.api.startsWith('openai')
  const connected = create({
    baseUrl,
    ...(isOpenAI ? { quirks: PROFILES[opts.server] ?? 'generic' } : {}),
    apiKey: opts.apiKey,
    fetch: opts.fetch,
    wire: opts.stream ? 'stream' : 'json',
    timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs },
    retry: { maxRetries: opts.maxRetries },
  })
  const model = connected.model(opts.model)
  const request = toModelRequest({
    api: opts.api,
    request: opts.request,
    provider: connected.name,
    dropped: what => unsent.set(what, (unsent.get(what) ?? 0) + 1),
  })
  const result = { text: '', reasoning: '', toolCalls: [], finishReason: 'other', usage: {} }
  const opaque = []
  let part = ''
  try {
    for await (const event of model.stream(request, {})) {
      if (event.type === 'text.delta') {
        result.text += event.text
        part += event.text
      } else if (event.type === 'text.end') {
        // The Messages API has no separate field for the text of a refusal.
        if (event.providerData?.data.refusal)
          Object.assign(result, { refusal: part.trimStart(), text: result.text.slice(0, -part.length) })
        part = ''
      } else if (event.type === 'reasoning.delta') result.reasoning += event.text
      else if (event.type === 'tool-call') result.toolCalls.push(toCall(event))
      else if (event.type === 'usage') result.usage = toUsage(event.usage)
      else if (event.type === 'finish') {
        result.finishReason = FINISHES[event.reason] ?? 'other'
        if (event.reason === 'refusal' && opts.api === 'anthropic') result.finishReason = 'content_filter'
      }
      if (event.providerData !== undefined) opaque.push(...opaqueOf(event.providerData))
    }
  } catch (error) {
    return { ...result, toolCalls: [], finishReason: 'error', error: toError(error) }
  }
  return opaque.length === 0 ? result : { ...result, opaque }
}

function toUsage({ input, output, reasoning, cacheRead, cacheWrite }) {
  return {
    inputTokens: input + cacheRead + cacheWrite,
    outputTokens: output,
    reasoningTokens: reasoning,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  }
}
