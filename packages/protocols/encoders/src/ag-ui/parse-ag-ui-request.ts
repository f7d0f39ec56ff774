import type { AssistantPart, Message, UserPart } from '@parley/core'
import * as z from 'zod'
import { lastResults, toClientTool } from '../kit/client-tools.ts'
import { flatFunctionSchema } from '../kit/function-schema.ts'
import { parseBody } from '../kit/parse-body.ts'
import { splitInput, type ProtocolInput } from '../kit/protocol-input.ts'

const sourceSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('data'), value: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('url'), value: z.string(), mimeType: z.string().nullish() }),
])
const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio', 'video', 'document']), source: sourceSchema }),
])
const contentSchema = z.union([z.string(), z.array(partSchema)])
const callSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})

const id = z.string().nullish()
const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), id, content: contentSchema }),
  z.looseObject({ role: z.enum(['system', 'developer']), content: z.string() }),
  z.looseObject({
    role: z.literal('assistant'),
    id,
    content: z.string().nullish(),
    toolCalls: z.array(callSchema).nullish(),
  }),
  z.looseObject({
    role: z.literal('tool'),
    id,
    content: contentSchema,
    toolCallId: z.string(),
    error: z.string().nullish(),
  }),
  z.looseObject({ role: z.enum(['reasoning', 'activity']) }),
])

const requestSchema = z.looseObject({
  threadId: z.string().min(1),
  runId: z.string().min(1),
  messages: z.array(messageSchema),
  tools: z.array(flatFunctionSchema).nullish(),
  context: z.array(z.looseObject({ description: z.string(), value: z.string() })).nullish(),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string().min(1),
        status: z.enum(['resolved', 'cancelled']),
        payload: z.unknown().optional(),
      }),
    )
    .nullish(),
})

/** An AG-UI request as input for a runtime. */
export interface AgUiInput extends ProtocolInput {
  /** The client's conversation, which is the session of the run. */
  readonly sessionId: string
  /** The client's id of the run. */
  readonly runId: string
  /** The client's id of `input`. */
  readonly inputId?: string | undefined
  /** Ids of the answers that the client shows. Each begins with the id of the run that wrote it. */
  readonly shownIds: readonly string[]
}

/**
 * Reads the body of an AG-UI request, already parsed from JSON. Context is added to the last message. Ignores state and
 * forwarded properties.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseAgUiRequest(body: unknown): AgUiInput {
  const { threadId, runId, messages, context, resume, tools } = parseBody(requestSchema, body)
  const read = messages.flatMap(toMessages)
  const { input, history } = splitInput(read)
  const last = messages.at(-1)
  const known = (context ?? []).map(({ description, value }) => `${description}: ${value}`).join('\n')
  return {
    input: known === '' ? input : { role: 'user', content: [{ type: 'text', text: known }, ...input.content] },
    history,
    settings: {},
    decisions: (resume ?? []).map(toDecision),
    results: lastResults(read),
    clientTools: (tools ?? []).map(toClientTool),
    sessionId: threadId,
    runId,
    ...(last?.role === 'user' && last.id != null && last.id !== '' ? { inputId: last.id } : {}),
    shownIds: messages.flatMap(message =>
      (message.role === 'assistant' || message.role === 'tool') && message.id != null ? [message.id] : [],
    ),
    stream: true,
  }
}

function toMessages(message: z.infer<typeof messageSchema>): readonly Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: toParts(message.content) }]
    case 'system':
    case 'developer':
      return [{ role: 'system', content: message.content }]
    case 'assistant': {
      const text = message.content ?? ''
      const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: written } }): AssistantPart => ({
        type: 'tool-call',
        callId: id,
        name,
        arguments: written,
      }))
      return [{ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls] }]
    }
    case 'tool': {
      const { toolCallId: callId, content, error } = message
      return [
        { role: 'tool', callId, name: '', content: toParts(content), ...(error == null ? {} : { isError: true }) },
      ]
    }
    case 'reasoning':
    case 'activity':
      return []
  }
}

function toParts(content: z.infer<typeof contentSchema>): UserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part): UserPart => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { source } = part
    const mediaType = source.mimeType ?? (part.type === 'document' ? 'application/octet-stream' : `${part.type}/*`)
    if (source.type === 'url') return { type: 'file', mediaType, source: { type: 'url', url: source.value } }
    return { type: 'file', mediaType, source: { type: 'base64', data: source.value } }
  })
}

const answerSchema = z.looseObject({ approved: z.boolean(), reason: z.string().nullish() })
const escalationSchema = z.looseObject({ approved: z.literal(false).optional(), escalateTo: z.string().min(1) })

/** Reads a decision. Anything but a clear approval is a rejection. */
function toDecision(entry: {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: unknown
}): ProtocolInput['decisions'][number] {
  const { interruptId: approvalId, status, payload } = entry
  const escalation = escalationSchema.safeParse(payload)
  if (status === 'resolved' && escalation.success)
    return { approvalId, decision: { type: 'escalated', agent: escalation.data.escalateTo } }
  const answer = answerSchema.safeParse(payload)
  if (status === 'resolved' && answer.success && answer.data.approved)
    return { approvalId, decision: { type: 'approved' } }
  const reason = (answer.success ? answer.data.reason : undefined) || 'The user refused.'
  return { approvalId, decision: { type: 'rejected', reason } }
}
