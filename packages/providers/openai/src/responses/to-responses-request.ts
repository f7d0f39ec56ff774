import { ParleyError, type ModelRequest, type ToolSpec } from '@parley/core'
import { encodeJson, extraFields } from '@parley/provider-kit'
import { askedFields } from '../wire/asked-fields.ts'
import { jsonReminder } from '../wire/json-reminder.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { samplingFields } from '../wire/sampling-fields.ts'

export interface ResponsesRequestOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly stream: boolean
  /** Whether the server is asked for its reasoning in encrypted form. */
  readonly encryptedReasoning: boolean
  /** The items of the conversation, as JSON texts. */
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
 * The body of a Responses request, as JSON text joined from encoded items and tools. Nothing is stored at the server.
 * @throws `model-unsupported` for stop sequences and a seed, which this API has not, and for settings the server or the
 * model does not take; `config-invalid` when provider options name a field the request itself decides.
 */
export function toResponsesRequest(request: ModelRequest, options: ResponsesRequestOptions): string {
  const { encodeItems, encodeTool, provider } = options
  const extra = extraFields(request, provider, OWN_FIELDS)
  const asked = askedFields(request, extra, { ...options, api: 'responses' })
  const sampling = samplingFields(request.settings, { ...options, asked })
  const fields = encodeJson({ ...fieldsOf(request, options), ...sampling, ...asked })
  const input = encodeItems(request.messages).filter(item => item !== '')
  // The instructions do not count: the word must be among the messages.
  const reminder = jsonReminder(request)
  if (reminder !== undefined) input.unshift(encodeJson({ role: 'system', content: reminder }))
  const tools = request.tools.length === 0 ? '' : `,"tools":[${request.tools.map(encodeTool).join(',')}]`
  return `${fields.slice(0, -1)},"input":[${input.join(',')}]${tools}}`
}

/** A tool as JSON text. The server's own default would be strict, which most schemas do not satisfy. */
export function encodeResponsesTool({ name, description, inputSchema, strict = false }: ToolSpec): string {
  const words = description === '' ? {} : { description }
  return encodeJson({ type: 'function', name, ...words, parameters: inputSchema, strict })
}

function fieldsOf(
  { system, settings, tools, toolChoice = 'auto' }: ModelRequest,
  { provider, model, quirks, stream, encryptedReasoning }: ResponsesRequestOptions,
): Record<string, unknown> {
  const refuse = (detail: string): ParleyError =>
    new ParleyError({ code: 'model-unsupported', provider, model, detail })
  for (const name of ['stopSequences', 'seed'] as const)
    if (settings[name] !== undefined) throw refuse(`The Responses API has no ${name}.`)
  const { toolChoice: readsChoice = true, parallelToolCalls, leastResponsesOutput = 1, paddedStreams = false } = quirks
  if (settings.maxOutputTokens !== undefined && settings.maxOutputTokens < leastResponsesOutput)
    throw refuse(`maxOutputTokens must be at least ${leastResponsesOutput} for the Responses API.`)
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
