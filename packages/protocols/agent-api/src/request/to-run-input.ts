import type { AssistantPart, ClientTool, Message, ModelSettings, UserPart } from '@parley/core'
import type { InputDecision, ProtocolInput } from '@parley/encoders'
import { invalidRequest, lastResults, splitInput, toClientTool } from '@parley/encoders/kit'
import { isCallType, isOutputType } from '../protocol/message-kind.ts'
import type { AgentRequest, InputContent, InputMessage } from '../schema/agent-request.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { toUserPart } from './to-user-part.ts'

/** A request as input for a runtime. */
export interface RunInput extends ProtocolInput {
  /** Id of the user. Absent if the client did not name one. */ readonly userId?: string | undefined
  /** Id for the response. Absent if the client did not name one. */ readonly responseId?: string | undefined
}

/** Message types that the model does not need: other messages hold the same information. */
const SKIPPED: ReadonlySet<string> = new Set(['heartbeat', 'error', 'mcp_list_tools', 'mcp_approval_request'])

/**
 * Turns a request into input for a runtime. Adjacent assistant messages become one, because a model writes text, reasoning
 * and calls in one answer.
 * @throws ParleyError `request-invalid` if tool data has no call id or a file is given by its id.
 */
export function toRunInput(request: AgentRequest): RunInput {
  const messages: Message[] = []
  const decisions: InputDecision[] = []
  for (const [index, message] of request.input.entries()) {
    const path = `input.${index}`
    if (message.type === 'mcp_approval_response') decisions.push(toDecision(message, path))
    else if (!SKIPPED.has(message.type)) addMessage(messages, message, path)
  }
  return {
    ...splitInput(messages),
    decisions,
    settings: toSettings(request),
    results: lastResults(messages),
    clientTools: (request.tools ?? []).flatMap(toClientTools),
    stream: request.stream,
    sessionId: request.session_id ?? undefined,
    userId: request.user_id ?? undefined,
    model: request.model ?? undefined,
    responseId: request.id ?? request.response_id ?? undefined,
  }
}

/** Reads a tool of the client. An object of another type describes nothing that a client could execute. */
function toClientTools({ type, function: described }: JsonObject, index: number): readonly ClientTool[] {
  if (type !== 'function' && !isFields(described)) return []
  const at = `tools.${index}.function`
  if (!isFields(described)) throw invalidRequest(at, 'must be an object with a name')
  const { name, description, parameters = null } = described
  if (typeof name !== 'string') throw invalidRequest(`${at}.name`, 'must be a string')
  if (parameters !== null && !isFields(parameters))
    throw invalidRequest(`${at}.parameters`, 'must be a JSON Schema of an object')
  const words = typeof description === 'string' ? description : undefined
  return [toClientTool({ name, description: words, parameters })]
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function addMessage(messages: Message[], message: InputMessage, path: string): void {
  const { type, role } = message
  const content = message.content ?? []
  if (isOutputType(type)) messages.push(toToolMessage(message, path))
  else if (isCallType(type)) addAnswer(messages, toCalls(content, path))
  else if (type === 'reasoning') addAnswer(messages, [{ type: 'reasoning', text: textOf(content) }])
  else if (role === 'assistant') addAnswer(messages, toUserParts(content, path))
  else if (role === 'system') messages.push({ role, content: textOf(content) })
  else addQuestion(messages, toUserParts(content, path))
}

/** Joins adjacent user messages. */
function addQuestion(messages: Message[], parts: readonly UserPart[]): void {
  const last = messages.at(-1)
  if (last?.role === 'user') last.content.push(...parts)
  else messages.push({ role: 'user', content: [...parts] })
}

function addAnswer(messages: Message[], parts: readonly AssistantPart[]): void {
  const last = messages.at(-1)
  if (last?.role === 'assistant') last.content.push(...parts)
  else messages.push({ role: 'assistant', content: [...parts] })
}

function toUserParts(content: readonly InputContent[], path: string): UserPart[] {
  return content.flatMap((part, index) => toUserPart(part, `${path}.content.${index}`) ?? [])
}

function toCalls(content: readonly InputContent[], path: string): AssistantPart[] {
  return content.flatMap((part, index) => {
    if (part.type !== 'data' || part.data == null) return []
    const at = `${path}.content.${index}.data`
    const { name, arguments: text } = part.data
    const callId = field(part.data, 'call_id', at)
    if (typeof name !== 'string') throw invalidRequest(`${at}.name`, 'must be a string')
    return [
      { type: 'tool-call', callId, name, arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}) },
    ]
  })
}

function toToolMessage({ content }: InputMessage, path: string): Message {
  const index = (content ?? []).findIndex(part => part.type === 'data')
  const part = content?.[index]
  if (part?.type !== 'data' || part.data == null)
    throw invalidRequest(`${path}.content`, 'must hold the data of the output')
  const { output, name, is_error: isError } = part.data
  const callId = field(part.data, 'call_id', `${path}.content.${index}.data`)
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '')
  return {
    role: 'tool',
    callId,
    name: typeof name === 'string' ? name : '',
    content: [{ type: 'text', text }],
    ...(isError === true ? { isError } : {}),
  }
}

function toDecision({ content }: InputMessage, path: string): InputDecision {
  const part = content?.find(({ type }) => type === 'data')
  if (part?.type !== 'data' || part.data == null)
    throw invalidRequest(`${path}.content`, 'must hold the data of the decision')
  const { approve, reason, escalate_to: agent } = part.data
  const approvalId = field(part.data, 'approval_request_id', `${path}.content.0.data`)
  if (agent != null) {
    if (typeof agent !== 'string' || agent === '' || approve === true)
      throw invalidRequest(`${path}.content.0.data.escalate_to`, 'must be the name of an agent, without approve: true')
    return { approvalId, decision: { type: 'escalated', agent } }
  }
  if (typeof approve !== 'boolean') throw invalidRequest(`${path}.content.0.data.approve`, 'must be true or false')
  if (approve) return { approvalId, decision: { type: 'approved' } }
  const given = typeof reason === 'string' && reason !== '' ? reason : 'The user refused.'
  return { approvalId, decision: { type: 'rejected', reason: given } }
}

/**
 * Converts the settings of a request. The protocol accepts every number. A number that no model takes, such as the -1
 * that some clients send for no limit, counts as absent.
 */
function toSettings(request: AgentRequest): ModelSettings {
  const { temperature, top_p: topP, max_tokens: maxTokens, stop, seed } = request
  const { frequency_penalty: frequencyPenalty, presence_penalty: presencePenalty } = request
  const stopSequences = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter(text => text !== '')
  return {
    ...(isWithin(temperature, 0, Infinity) ? { temperature } : {}),
    ...(isWithin(topP, 0, 1) ? { topP } : {}),
    ...(isWithin(frequencyPenalty, -2, 2) ? { frequencyPenalty } : {}),
    ...(isWithin(presencePenalty, -2, 2) ? { presencePenalty } : {}),
    ...(isWithin(maxTokens, 1, Infinity) ? { maxOutputTokens: maxTokens } : {}),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
    ...(seed == null ? {} : { seed }),
  }
}

function isWithin(value: number | null | undefined, least: number, most: number): value is number {
  return value != null && Number.isFinite(value) && value >= least && value <= most
}

function textOf(content: readonly InputContent[]): string {
  return content.map(part => (part.type === 'text' ? (part.text ?? '') : '')).join('')
}

function field(data: Readonly<JsonObject>, name: string, path: string): string {
  const value = data[name]
  if (typeof value !== 'string' || value === '') throw invalidRequest(`${path}.${name}`, 'must be a string')
  return value
}
