import type { ModelRequest, ToolSpec } from '@parley/core'
import { createRefuse, encodeJson, extraFields } from '@parley/provider-kit'
import { settingsFields } from '../wire/settings-fields.ts'
import { jsonReminder } from '../wire/json-reminder.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { samplingFields } from '../wire/sampling-fields.ts'

export interface ResponsesRequestOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly stream: boolean
  /** Whether the request asks for reasoning in encrypted form. */
  readonly encryptedReasoning: boolean
  /** Encodes messages as items: JSON texts. */
  readonly encodeItems: (messages: ModelRequest['messages']) => readonly string[]
  readonly encodeTool: (tool: ToolSpec) => string
}

const OWN_FIELDS = [
  'model',
  'input',
  'instructions',
  'tools',
  'stream',
  'store',
  'previous_response_id',
  'conversation',
]

/**
 * Writes the body of a Responses request as JSON text, joined from encoded items and tools. The server stores nothing.
 * @throws `model-unsupported` for stop sequences, a seed, top-k and penalties, which the API does not have, and for other unsupported
 * settings. Throws `config-invalid` if the provider options contain a field that the request sets itself.
 */
export function toResponsesRequest(request: ModelRequest, options: ResponsesRequestOptions): string {
  const { encodeItems, encodeTool, provider } = options
  const extra = extraFields(request, provider, OWN_FIELDS)
  const asked = settingsFields(request, extra, { ...options, api: 'responses' })
  const sampling = samplingFields(request.settings, { ...options, asked })
  const fields = encodeJson({ ...fieldsOf(request, options), ...sampling, ...asked })
  const input = encodeItems(request.messages).filter(item => item !== '')
  // OpenAI requires the word JSON among the messages; the instructions do not count.
  const reminder = jsonReminder(request)
  if (reminder !== undefined) input.unshift(encodeJson({ role: 'system', content: reminder }))
  const tools = request.tools.length === 0 ? '' : `,"tools":[${request.tools.map(encodeTool).join(',')}]`
  return `${fields.slice(0, -1)},"input":[${input.join(',')}]${tools}}`
}

/**
 * Encodes a tool as JSON text. Always sends `strict`: the server's default is true, and most schemas do not have the
 * strict form.
 */
export function encodeResponsesTool({ name, description, inputSchema, strict = false }: ToolSpec): string {
  const words = description === '' ? {} : { description }
  return encodeJson({ type: 'function', name, ...words, parameters: inputSchema, strict })
}

function fieldsOf(
  { system, settings, tools, toolChoice = 'auto' }: ModelRequest,
  { provider, model, quirks, stream, encryptedReasoning }: ResponsesRequestOptions,
): Record<string, unknown> {
  const refuse = createRefuse({ provider, model })
  for (const name of ['stopSequences', 'seed', 'topK', 'frequencyPenalty', 'presencePenalty'] as const)
    if (settings[name] !== undefined) throw refuse(`The Responses API does not support ${name}.`)
  const { toolChoice: readsChoice = true, parallelToolCalls, minResponsesOutput = 1, paddedStreams = false } = quirks
  if (settings.maxOutputTokens !== undefined && settings.maxOutputTokens < minResponsesOutput)
    throw refuse(`maxOutputTokens must be at least ${minResponsesOutput} for the Responses API.`)
  const fields: Record<string, unknown> = { model, stream, store: false }
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) fields[name] = value
  }
  if (system.length > 0) fields['instructions'] = system.map(part => part.text).join('\n\n')
  if (stream && paddedStreams) fields['stream_options'] = { include_obfuscation: false }
  if (encryptedReasoning) fields['include'] = ['reasoning.encrypted_content']
  set('max_output_tokens', settings.maxOutputTokens)
  if (tools.length > 0) {
    const named = typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.name } : toolChoice
    if (readsChoice && toolChoice !== 'auto') fields['tool_choice'] = named
    set('parallel_tool_calls', parallelToolCalls)
  }
  return fields
}
