import type { Message, ModelSettings, ToolMessage, UserPart } from '@parley/core'
import * as z from 'zod'
import { toClientTool, toInputResult } from '../kit/client-tools.ts'
import { flatFunctionSchema } from '../kit/function-schema.ts'
import { filePartOf } from '../kit/file-part.ts'
import { invalidRequest, parseBody } from '../kit/parse-body.ts'
import { effortSchema, toThinking } from '../chat/reasoning-effort.ts'
import { toOutputFormat } from '../chat/response-format.ts'
import { splitInput, type InputResult, type ProtocolInput } from '../kit/protocol-input.ts'
import { givenFields, readGivenFields, type GivenFields } from './given-fields.ts'

const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string().nullish(), file_id: z.string().nullish() }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
    file_id: z.string().nullish(),
    filename: z.string().nullish(),
  }),
])

const messageItem = z.looseObject({
  type: z.literal('message').default('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(partSchema)]),
})
const callFields = { name: z.string(), arguments: z.string() }
const otherItem = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('function_call'), call_id: z.string(), ...callFields }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.unknown().optional() }),
  z.looseObject({ type: z.literal('mcp_call'), id: z.string(), ...callFields, output: z.string().nullish() }),
  z.looseObject({ type: z.literal('mcp_approval_request') }),
  z.looseObject({
    type: z.literal('mcp_approval_response'),
    approval_request_id: z.string().min(1),
    approve: z.boolean(),
    reason: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(z.looseObject({ text: z.string() })).nullish(),
  }),
  z.looseObject({ type: z.literal('item_reference') }),
])
const itemSchema = z.union([otherItem, messageItem])
type Item = z.infer<typeof itemSchema>
type OtherItem = z.infer<typeof otherItem>

/** A server that OpenAI would connect to. Parley's agents have their own tools, so it can only name this server. */
const mcpServerSchema = z.looseObject({
  type: z.literal('mcp'),
  server_label: z.string().min(1),
  server_url: z.string().min(1),
})
/** Not a union, whose error would not name the field. */
const toolSchema = z.looseObject({ type: z.unknown() }).transform((tool, { issues }) => {
  const result = tool.type === 'mcp' ? mcpServerSchema.safeParse(tool) : flatFunctionSchema.safeParse(tool)
  if (result.success) return result.data
  issues.push(
    ...result.error.issues.map(({ path, message }) => ({ code: 'custom' as const, path, message, input: tool })),
  )
  return z.NEVER
})

const requestSchema = z.looseObject({
  ...givenFields,
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(itemSchema)]),
  previous_response_id: z.string().min(1).nullish(),
  conversation: z.union([z.string().min(1), z.looseObject({ id: z.string().min(1) })]).nullish(),
  stream: z.boolean().nullish(),
  reasoning: z.looseObject({ effort: effortSchema.nullish() }).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.literal('function'), name: z.string() })])
    .nullish(),
})

/** A Responses API request as input for a runtime. */
export interface ResponsesInput extends ProtocolInput {
  /** The response whose conversation the request continues. */
  readonly previousResponseId?: string | undefined
  /** Whether the client wants the response immediately and asks for the result later. */
  readonly background: boolean
  /** Addresses of the MCP servers in `tools`. Clients that answer approvals name the server of the agent there. */
  readonly mcpServerUrls: readonly string[]
  /** Fields that the response repeats. */
  readonly given: GivenFields
}

/**
 * Reads the body of a Responses API request, already parsed from JSON. Ignores unknown fields.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseResponsesRequest(body: unknown): ResponsesInput {
  const request = parseBody(requestSchema, body)
  const { input, instructions } = request
  const conversation = typeof request.conversation === 'string' ? { id: request.conversation } : request.conversation
  const items: readonly Item[] = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
  const messages: Message[] = instructions == null ? [] : [{ role: 'system', content: instructions }]
  for (const [index, item] of items.entries()) messages.push(...toMessages(item, `input.${index}`))
  const tools = request.tools ?? []
  return {
    ...splitInput(messages),
    settings: toSettings(request),
    decisions: items.flatMap(item => (item.type === 'mcp_approval_response' ? [toDecision(item)] : [])),
    results: items.flatMap(item => (item.type === 'function_call_output' ? [toResult(item)] : [])),
    clientTools: tools.flatMap(tool => (tool.type === 'mcp' ? [] : [toClientTool(tool)])),
    mcpServerUrls: tools.flatMap(tool => (tool.type === 'mcp' ? [tool.server_url] : [])),
    model: request.model ?? undefined,
    sessionId: conversation?.id,
    previousResponseId: request.previous_response_id ?? undefined,
    stream: request.stream === true,
    background: request.background === true,
    given: readGivenFields({ ...request, conversation }) ?? {},
  }
}

function toMessages(item: Item, path: string): readonly Message[] {
  if (item.type !== 'message') return fromOther(item)
  const { role, content } = item
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : toParts(content, path)
  if (role === 'user' || role === 'assistant') return [{ role, content: [...parts] }]
  return [{ role: 'system', content: parts.map(part => (part.type === 'text' ? part.text : '')).join('') }]
}

function fromOther(item: OtherItem): readonly Message[] {
  switch (item.type) {
    case 'function_call': {
      const { call_id: callId, name, arguments: written } = item
      return [{ role: 'assistant', content: [{ type: 'tool-call', callId, name, arguments: written }] }]
    }
    case 'function_call_output':
      return [toToolMessage(item)]
    case 'mcp_call': {
      const { id: callId, name, arguments: written, output } = item
      return [
        { role: 'assistant', content: [{ type: 'tool-call', callId, name, arguments: written }] },
        { role: 'tool', callId, name, content: [{ type: 'text', text: output ?? '' }] },
      ]
    }
    case 'reasoning': {
      const text = (item.summary ?? []).map(part => part.text).join('\n')
      return text === '' ? [] : [{ role: 'assistant', content: [{ type: 'reasoning', text }] }]
    }
    case 'mcp_approval_request':
    case 'mcp_approval_response':
    case 'item_reference':
      return []
  }
}

type OutputItem = Extract<OtherItem, { type: 'function_call_output' }>

function toToolMessage({ call_id: callId, output }: OutputItem): ToolMessage {
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '')
  return { role: 'tool', callId, name: '', content: [{ type: 'text', text }] }
}

function toResult(item: OutputItem): InputResult {
  return toInputResult(toToolMessage(item))
}

function toParts(content: readonly z.infer<typeof partSchema>[], path: string): readonly UserPart[] {
  return content.map((part, index): UserPart => {
    switch (part.type) {
      case 'input_text':
      case 'output_text':
        return { type: 'text', text: part.text }
      case 'refusal':
        return { type: 'text', text: part.refusal }
      case 'input_image':
        return filePartOf(part.image_url ?? missing(`${path}.content.${index}.image_url`), 'image/*')
      case 'input_file': {
        const url = part.file_url ?? part.file_data ?? missing(`${path}.content.${index}.file_data`)
        return filePartOf(url, 'application/octet-stream', part.filename ?? undefined)
      }
    }
  })
}

function missing(path: string): never {
  throw invalidRequest(path, 'is required: files cannot be looked up by id')
}

function toDecision(item: Extract<OtherItem, { type: 'mcp_approval_response' }>): ProtocolInput['decisions'][number] {
  const { approval_request_id: approvalId, approve, reason } = item
  if (approve) return { approvalId, decision: { type: 'approved' } }
  return { approvalId, decision: { type: 'rejected', reason: reason || 'The user refused.' } }
}

function toSettings(request: z.infer<typeof requestSchema>): ModelSettings {
  const { temperature, top_p: topP, max_output_tokens: maxOutputTokens, text, tool_choice: choice } = request
  return {
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { topP }),
    ...(maxOutputTokens == null ? {} : { maxOutputTokens }),
    ...(choice == null ? {} : { toolChoice: typeof choice === 'string' ? choice : { name: choice.name } }),
    ...toThinking(request.reasoning?.effort),
    ...toOutputFormat(text?.format?.type, text?.format),
  }
}
