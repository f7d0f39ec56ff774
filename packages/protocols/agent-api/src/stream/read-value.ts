import type { AgentContent, ContentType } from '../schema/agent-content.ts'
import type { AgentError, AgentStatus } from '../schema/event-fields.ts'
import type { AgentMessage, AgentRole } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { VALUE_FIELDS } from '../protocol/content-value.ts'

const STATUSES: Readonly<Record<AgentStatus, true>> = {
  created: true,
  queued: true,
  in_progress: true,
  completed: true,
  canceled: true,
  failed: true,
  rejected: true,
  incomplete: true,
  unknown: true,
}
const ROLES: Readonly<Record<AgentRole, true>> = { assistant: true, user: true, system: true, tool: true }

/** Reads a message. A field that is missing or of the wrong type becomes null or its default. */
export function readMessage(value: Readonly<JsonObject>): AgentMessage {
  const { role, content } = value
  const id = textOf(value['id']) ?? ''
  return {
    sequence_number: numberOf(value['sequence_number']),
    object: 'message',
    status: statusOf(value['status']) ?? 'created',
    error: errorOf(value['error']),
    id,
    type: textOf(value['type']) ?? 'message',
    role: typeof role === 'string' && Object.hasOwn(ROLES, role) ? (role as AgentRole) : null,
    content: Array.isArray(content) ? objectsIn(content).flatMap((part, index) => readPart(part, index, id)) : null,
    code: textOf(value['code']),
    message: textOf(value['message']),
    usage: objectOf(value['usage']),
    metadata: objectOf(value['metadata']),
  }
}

/** Reads a response. A field that is missing or of the wrong type becomes null or its default. */
export function readResponse(value: Readonly<JsonObject>): AgentResponse {
  const { output } = value
  return {
    sequence_number: numberOf(value['sequence_number']),
    object: 'response',
    status: statusOf(value['status']) ?? 'created',
    error: errorOf(value['error']),
    id: textOf(value['id']) ?? '',
    created_at: numberOf(value['created_at']) ?? 0,
    completed_at: numberOf(value['completed_at']),
    output: Array.isArray(output) ? objectsIn(output).map(readMessage) : null,
    usage: objectOf(value['usage']),
    session_id: textOf(value['session_id']),
  }
}

/** Reads a part. `undefined` for an unknown type. */
export function readContent(value: Readonly<JsonObject>): AgentContent | undefined {
  const type = textOf(value['type'])
  if (type === null || !Object.hasOwn(VALUE_FIELDS, type)) return undefined
  const names = VALUE_FIELDS[type as ContentType]
  const isData = type === 'data'
  const fields = names.map(name => [name, isData ? objectOf(value[name]) : textOf(value[name])])
  return {
    sequence_number: numberOf(value['sequence_number']),
    object: 'content',
    status: statusOf(value['status']),
    error: errorOf(value['error']),
    type,
    index: numberOf(value['index']),
    delta: value['delta'] === true,
    msg_id: textOf(value['msg_id']),
    ...Object.fromEntries(fields),
  } as AgentContent
}

function readPart(value: Readonly<JsonObject>, index: number, id: string): AgentContent[] {
  const content = readContent(value)
  if (content === undefined) return []
  return [{ ...content, index: content.index ?? index, msg_id: content.msg_id ?? id }]
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Reads a number. Accepts strings too, because some servers send numbers as strings. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value)
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

function objectsIn(values: readonly unknown[]): JsonObject[] {
  return values.map(objectOf).filter(value => value !== null)
}

function statusOf(value: unknown): AgentStatus | null {
  return typeof value === 'string' && Object.hasOwn(STATUSES, value) ? (value as AgentStatus) : null
}

/** Reads an error. Also accepts an error that is only a string. */
export function errorOf(value: unknown): AgentError | null {
  if (typeof value === 'string') return { code: 'AGENT_UNKNOWN_ERROR', message: value }
  const error = objectOf(value)
  if (error === null) return null
  return { code: textOf(error['code']) ?? 'AGENT_UNKNOWN_ERROR', message: textOf(error['message']) ?? '' }
}
