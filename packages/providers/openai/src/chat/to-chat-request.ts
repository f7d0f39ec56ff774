import type { Message, ModelRequest, ToolSpec } from '@parley/core'
import { createRefuse, encodeJson, extraFields } from '@parley/provider-kit'
import { choiceFields } from './choice-fields.ts'
import { settingsFields } from '../wire/settings-fields.ts'
import { jsonReminder } from '../wire/json-reminder.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { samplingFields } from '../wire/sampling-fields.ts'

export interface ChatRequestOptions {
  readonly provider: string
  readonly model: string
  readonly quirks: Quirks
  readonly stream: boolean
  readonly systemRole: 'system' | 'developer' | 'user'
  readonly encodeMessages: (messages: readonly Message[]) => string[]
  readonly encodeTool: (tool: ToolSpec) => string
}

const OWN_FIELDS = ['model', 'messages', 'tools', 'stream']

/**
 * Writes the body of a chat completions request as JSON text, joined from encoded messages and tools.
 * @throws `config-invalid` if the provider options contain a field that the request sets itself. Throws
 * `model-unsupported` for a setting that the server or the model does not support.
 */
export function toChatRequest(request: ModelRequest, options: ChatRequestOptions): string {
  const { encodeMessages, encodeTool, systemRole, provider } = options
  const messages = encodeMessages(request.messages)
  const system = request.system.map(part => part.text)
  const reminder = jsonReminder(request, system)
  if (reminder !== undefined) system.push(reminder)
  // All instructions in one message: some servers reject a second system message.
  if (system.length > 0) messages.unshift(encodeJson({ role: systemRole, content: system.join('\n\n') }))
  const extra = extraFields(request, provider, OWN_FIELDS)
  const asked = settingsFields(request, extra, { ...options, api: 'chat' })
  const sampling = samplingFields(request.settings, { ...options, asked })
  const choice = choiceFields(request.settings, options.quirks, createRefuse(options))
  const fields = encodeJson({ ...fieldsOf(request, options), ...sampling, ...choice, ...asked })
  const tools = request.tools.length === 0 ? '' : `,"tools":[${request.tools.map(encodeTool).join(',')}]`
  return `${fields.slice(0, -1)},"messages":[${messages.join(',')}]${tools}}`
}

/** Encodes a tool as JSON text. */
export function encodeChatTool({ name, description, inputSchema, strict = false }: ToolSpec): string {
  const words = description === '' ? {} : { description }
  const held = strict ? { strict } : {}
  return encodeJson({ type: 'function', function: { name, ...words, parameters: inputSchema, ...held } })
}

function fieldsOf(
  { settings, tools, toolChoice = 'auto' }: ModelRequest,
  { model, quirks, stream }: ChatRequestOptions,
): Record<string, unknown> {
  const {
    streamOptions = true,
    paddedStreams = false,
    outputLimitField = 'max_tokens',
    seedField = 'seed',
    parallelToolCalls,
  } = quirks
  const fields: Record<string, unknown> = { model, stream }
  if (stream && streamOptions)
    fields['stream_options'] = { include_usage: true, ...(paddedStreams ? { include_obfuscation: false } : {}) }
  const set = (name: string, value: unknown): void => {
    if (value !== undefined) fields[name] = value
  }
  set(outputLimitField, settings.maxOutputTokens)
  set(seedField, settings.seed)
  if (tools.length > 0) {
    set('tool_choice', toToolChoice(toolChoice, quirks))
    set('parallel_tool_calls', parallelToolCalls)
  }
  return fields
}

function toToolChoice(choice: NonNullable<ModelRequest['toolChoice']>, quirks: Quirks): unknown {
  const { toolChoice = true, requiredToolChoice = 'required' } = quirks
  if (!toolChoice || choice === 'auto') return undefined
  if (choice === 'none') return 'none'
  if (choice === 'required') return requiredToolChoice === 'omit' ? undefined : requiredToolChoice
  return { type: 'function', function: { name: choice.name } }
}
