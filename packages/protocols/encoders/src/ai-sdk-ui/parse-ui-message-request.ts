import type { AssistantPart, Json, Message, UserPart } from '@parley/core'
import * as z from 'zod'
import { filePartOf } from '../kit/file-part.ts'
import { parseBody } from '../kit/parse-body.ts'
import { splitInput, type ProtocolInput } from '../kit/protocol-input.ts'

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  url: z.string().nullish(),
  mediaType: z.string().nullish(),
  filename: z.string().nullish(),
  toolCallId: z.string().nullish(),
  toolName: z.string().nullish(),
  state: z.string().nullish(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  errorText: z.string().nullish(),
  providerExecuted: z.boolean().nullish(),
  approval: z.looseObject({ id: z.string(), approved: z.boolean().nullish(), reason: z.string().nullish() }).nullish(),
})
type Part = z.infer<typeof partSchema>

const requestSchema = z.looseObject({
  /** Id of the chat. */
  id: z.string().min(1),
  trigger: z.string().nullish(),
  messageId: z.string().nullish(),
  messages: z.array(
    z.looseObject({
      id: z.string().nullish(),
      role: z.enum(['user', 'assistant', 'system']),
      parts: z.array(partSchema),
    }),
  ),
})

const REFUSED = 'The user refused.'

/** An AI SDK chat request as input for a runtime. */
export interface UiMessageInput extends ProtocolInput {
  /** The client's chat, which is the session of the run. */
  readonly sessionId: string
  /** Id of the assistant message that the client continues. */
  readonly messageId?: string | undefined
  /** The client's id of `input`. */
  readonly inputId?: string | undefined
  /** Whether the run replaces the answer to the message `inputId`: the user regenerates it, or has edited the message. */
  readonly replaces: boolean
}

/**
 * Reads the body of an AI SDK chat request, already parsed from JSON. If the last message is from the assistant, the
 * approvals that it answers become decisions.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseUiMessageRequest(body: unknown): UiMessageInput {
  const { id, messages, trigger, messageId } = parseBody(requestSchema, body)
  const last = messages.at(-1)
  const parts = last?.role === 'assistant' ? last.parts : []
  const decisions = parts.flatMap(toDecisions)
  const results = parts.flatMap(toInputResults)
  return {
    ...splitInput(messages.flatMap(toMessages)),
    settings: {},
    decisions,
    results,
    clientTools: [],
    sessionId: id,
    stream: true,
    ...(last?.role === 'user' && last.id != null && last.id !== '' ? { inputId: last.id } : {}),
    // A chat names a message only to replace it, or to continue an answer.
    replaces: last?.role === 'user' && (trigger === 'regenerate-message' || messageId != null),
    ...(decisions.length + results.length > 0 && last?.id != null ? { messageId: last.id } : {}),
  }
}

function toMessages({ role, parts }: { readonly role: string; readonly parts: readonly Part[] }): readonly Message[] {
  const content = parts.flatMap(toUserPart)
  if (role === 'user') return [{ role: 'user', content }]
  if (role === 'system') {
    return [{ role: 'system', content: content.map(part => (part.type === 'text' ? part.text : '')).join('') }]
  }
  const messages: Message[] = []
  let answer: AssistantPart[] = []
  for (const part of parts) {
    const results = toResult(part)
    answer.push(...(results === undefined ? toUserPart(part) : [results.call]))
    if (results === undefined) continue
    messages.push({ role: 'assistant', content: answer }, results.message)
    answer = []
  }
  return answer.length === 0 ? messages : [...messages, { role: 'assistant', content: answer }]
}

function toUserPart(part: Part): UserPart[] {
  if (part.type === 'text') return part.text == null || part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type !== 'file' || part.url == null) return []
  return [filePartOf(part.url, part.mediaType ?? 'application/octet-stream', part.filename ?? undefined)]
}

/** Reads an ended call with its result. */
function toResult(part: Part): { readonly call: AssistantPart; readonly message: Message } | undefined {
  const { type, state, toolCallId: callId, input, output, errorText } = part
  const name = type === 'dynamic-tool' ? (part.toolName ?? '') : type.replace(/^tool-/, '')
  const isDenied = state === 'output-denied'
  if (callId == null || (state !== 'output-available' && state !== 'output-error' && !isDenied)) return undefined
  const isError = state !== 'output-available'
  const error = isDenied ? (part.approval?.reason ?? REFUSED) : (errorText ?? '')
  const text = isError ? error : typeof output === 'string' ? output : JSON.stringify(output ?? '')
  return {
    call: { type: 'tool-call', callId, name, arguments: JSON.stringify(input ?? {}) },
    message: { role: 'tool', callId, name, content: [{ type: 'text', text }], ...(isError ? { isError } : {}) },
  }
}

/** Reads the results of calls that the server did not execute itself. */
function toInputResults(part: Part): ProtocolInput['results'] {
  const { state, toolCallId: callId, output, errorText, providerExecuted } = part
  if (callId == null || providerExecuted === true) return []
  if (state === 'output-error') return [{ callId, output: errorText ?? '', isError: true }]
  return state === 'output-available' ? [{ callId, output: (output ?? null) as Json, isError: false }] : []
}

function toDecisions({ state, approval }: Part): ProtocolInput['decisions'] {
  if (state !== 'approval-responded' || approval?.approved == null) return []
  const { id: approvalId, approved, reason } = approval
  if (approved) return [{ approvalId, decision: { type: 'approved' } }]
  return [{ approvalId, decision: { type: 'rejected', reason: reason || REFUSED } }]
}
