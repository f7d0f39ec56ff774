import type { AssistantPart, Message, ModelSettings, UserPart } from '@parley/core'
import * as z from 'zod'
import { lastResults, toClientTool } from '../kit/client-tools.ts'
import { nestedFunctionSchema } from '../kit/function-schema.ts'
import { filePartOf } from '../kit/file-part.ts'
import { invalidRequest, parseBody } from '../kit/parse-body.ts'
import { effortSchema, toThinking } from '../chat/reasoning-effort.ts'
import { responseFormatSchema, toOutputFormat } from '../chat/response-format.ts'
import { splitInput, type ProtocolInput } from '../kit/protocol-input.ts'

const textPart = z.looseObject({
  type: z.enum(['text', 'refusal']),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
})
const userPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      file_data: z.string().nullish(),
      file_id: z.string().nullish(),
      filename: z.string().nullish(),
    }),
  }),
])
const textContent = z.union([z.string(), z.array(textPart)])

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: textContent }),
  z.looseObject({ role: z.literal('developer'), content: textContent }),
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userPart)]) }),
  z.looseObject({
    role: z.literal('assistant'),
    content: textContent.nullish(),
    tool_calls: z
      .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
      .nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: textContent, tool_call_id: z.string() }),
])

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  seed: z.int().nullish(),
  reasoning_effort: effortSchema.nullish(),
  response_format: responseFormatSchema.nullish(),
  n: z.literal(1, 'must be 1: an agent gives one answer').nullish(),
  tools: z.array(nestedFunctionSchema).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
})

/** A chat completion request as input for a runtime. */
export interface ChatInput extends ProtocolInput {
  /** Whether the client wants the usage in the last chunk. */
  readonly includeUsage: boolean
}

/**
 * Reads the body of a chat completion request, already parsed from JSON. Ignores unknown fields.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseChatRequest(body: unknown): ChatInput {
  const request = parseBody(requestSchema, body)
  const messages = request.messages.map((message, index) => toMessage(message, `messages.${index}`))
  return {
    ...splitInput(messages),
    settings: toSettings(request),
    decisions: [],
    results: lastResults(messages),
    clientTools: (request.tools ?? []).map(tool => toClientTool(tool.function)),
    model: request.model,
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
  }
}

function toMessage(message: z.infer<typeof messageSchema>, path: string): Message {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: textOf(message.content) }
    case 'user': {
      const { content } = message
      if (typeof content === 'string') return { role: 'user', content: [{ type: 'text', text: content }] }
      return { role: 'user', content: content.map((part, index) => toPart(part, `${path}.content.${index}`)) }
    }
    case 'assistant': {
      const text = textOf(message.content ?? '')
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: written } }): AssistantPart => ({
        type: 'tool-call',
        callId: id,
        name,
        arguments: written,
      }))
      return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls] }
    }
    case 'tool': {
      const content = [{ type: 'text' as const, text: textOf(message.content) }]
      return { role: 'tool', callId: message.tool_call_id, name: '', content }
    }
  }
}

function toPart(part: z.infer<typeof userPart>, path: string): UserPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image_url':
      return filePartOf(part.image_url.url, 'image/*')
    case 'input_audio': {
      const { data, format } = part.input_audio
      return { type: 'file', mediaType: `audio/${format}`, source: { type: 'base64', data } }
    }
    case 'file': {
      const { file_data: data, filename } = part.file
      if (data == null) throw invalidRequest(`${path}.file`, 'requires file_data: files cannot be looked up by id')
      return filePartOf(data, 'application/octet-stream', filename ?? undefined)
    }
  }
}

function textOf(content: z.infer<typeof textContent>): string {
  return typeof content === 'string' ? content : content.map(part => part.text ?? part.refusal ?? '').join('')
}

function toSettings(request: z.infer<typeof requestSchema>): ModelSettings {
  const { temperature, top_p: topP, stop, seed, tool_choice: choice } = request
  const { frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty } = request
  const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens
  const stopSequences = typeof stop === 'string' ? [stop] : (stop ?? [])
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { topP }),
    ...(frequencyPenalty == null ? {} : { frequencyPenalty }),
    ...(presencePenalty == null ? {} : { presencePenalty }),
    ...(maxOutputTokens == null ? {} : { maxOutputTokens }),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
    ...(seed == null ? {} : { seed }),
    ...(choice == null ? {} : { toolChoice: typeof choice === 'string' ? choice : { name: choice.function.name } }),
    ...toThinking(request.reasoning_effort),
    ...toOutputFormat(request.response_format?.type, request.response_format?.json_schema),
  }
}
