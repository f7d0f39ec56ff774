import type { Json, Message, ModelRequest, ToolSpec } from '@parley/core'
import { createRefuse, encodeJson, extraFields } from '@parley/provider-kit'
import { toThink } from './to-think.ts'

export interface ChatRequestOptions {
  readonly provider: string
  readonly model: string
  readonly stream: boolean
  readonly contextWindow: number | undefined
  readonly overflow: 'fail' | 'truncate'
  readonly keepAlive: string | number | undefined
  readonly encodeMessages: (messages: readonly Message[]) => readonly string[]
  readonly encodeTool: (tool: ToolSpec) => string
}

type Extra = Readonly<Record<string, Json>>

const OWN_FIELDS = ['model', 'messages', 'tools', 'stream']

/**
 * Writes the body of a chat request as JSON text, joined from encoded messages and tools. Provider options are added at
 * the top level; `options` is merged field by field.
 * @throws `model-unsupported` for a setting that Ollama does not support. Throws `config-invalid` if the provider
 * options contain a field that the request sets itself.
 */
export function toChatRequest(request: ModelRequest, options: ChatRequestOptions): string {
  const { provider, model, stream, overflow, keepAlive, encodeMessages, encodeTool } = options
  const { system, settings, toolChoice = 'auto' } = request
  checkSupport(request, options)
  const { options: extraOptions, ...extra } = extraFields(request, provider, OWN_FIELDS)
  const think = toThink(settings.thinking, { provider, model })
  const { output } = settings
  const modelOptions = { ...toModelOptions(request, options), ...(extraOptions as Extra) }
  const fields = encodeJson({
    model,
    stream,
    ...(Object.keys(modelOptions).length === 0 ? {} : { options: modelOptions }),
    ...(output === undefined ? {} : { format: typeof output === 'object' ? output.schema : output }),
    ...(think === undefined ? {} : { think }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    // By default the server drops the oldest messages without notice.
    ...(overflow === 'fail' ? { truncate: false, shift: false } : {}),
    ...extra,
  })
  const messages = encodeMessages(request.messages)
  const instructions = system.map(({ text }) => text).join('\n\n')
  const all = instructions === '' ? messages : [encodeJson({ role: 'system', content: instructions }), ...messages]
  // Ollama has no tool choice `none`, so no tools are sent.
  const tools = toolChoice === 'none' ? [] : request.tools
  const toolsField = tools.length === 0 ? '' : `,"tools":[${tools.map(encodeTool).join(',')}]`
  return `${fields.slice(0, -1)},"messages":[${all.join(',')}]${toolsField}}`
}

/** Encodes a tool as JSON text. */
export function encodeOllamaTool({ name, description, inputSchema }: ToolSpec): string {
  return encodeJson({ type: 'function', function: { name, description, parameters: inputSchema } })
}

function checkSupport({ settings, tools, toolChoice = 'auto' }: ModelRequest, options: ChatRequestOptions): void {
  const refuse = createRefuse(options)
  if (tools.length > 0 && toolChoice !== 'auto' && toolChoice !== 'none')
    throw refuse("Ollama cannot force a tool call. Leave toolChoice 'auto'.")
  if (settings.parallelToolCalls === false) throw refuse('Ollama cannot limit a model to one tool call at a time.')
}

function toModelOptions({ settings }: ModelRequest, { contextWindow }: ChatRequestOptions): Record<string, unknown> {
  const { maxOutputTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, stopSequences, seed } = settings
  const fields: Record<string, unknown> = {}
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) fields[name] = value
  }
  set('num_ctx', contextWindow)
  set('num_predict', maxOutputTokens)
  set('temperature', temperature)
  set('top_p', topP)
  set('top_k', topK)
  set('frequency_penalty', frequencyPenalty)
  set('presence_penalty', presencePenalty)
  set('stop', stopSequences)
  set('seed', seed)
  return fields
}
