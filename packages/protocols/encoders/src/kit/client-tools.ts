import type { ClientTool, Json, Message, ToolMessage } from '@parley/core'
import type { InputResult } from './protocol-input.ts'

/** A function as requests describe it. */
export interface FunctionFields {
  readonly name: string
  readonly description?: string | null | undefined
  /** JSON Schema of the arguments. @default any object */
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
}

/** Converts a function of a request to a tool that the client executes. */
export function toClientTool({ name, description, parameters }: FunctionFields): ClientTool {
  return {
    name,
    description: description == null || description.trim() === '' ? `The function ${name} of the client.` : description,
    inputSchema: (parameters ?? { type: 'object' }) as Record<string, Json>,
  }
}

/** Returns the results at the end of the messages, after the last message of another role. */
export function lastResults(messages: readonly Message[]): readonly InputResult[] {
  const end = messages.findLastIndex(({ role }) => role !== 'tool')
  return messages.slice(end + 1).flatMap(message => (message.role === 'tool' ? [toInputResult(message)] : []))
}

/** Reads a tool message as the result of a call. A text that is a JSON object or array counts as data. */
export function toInputResult({ callId: id, content, isError = false }: ToolMessage): InputResult {
  const text = content.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('')
  return { ...splitCallId(id), output: isError ? text : (dataOf(text) ?? text), isError }
}

function dataOf(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const WITH_RUN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(.+)$/s

/** Joins the id of a run and of a call, for protocols whose requests name no session. */
export function joinCallId(runId: string, callId: string): string {
  return `${runId}_${callId}`
}

function splitCallId(id: string): Pick<InputResult, 'runId' | 'callId'> {
  const [, runId, callId] = WITH_RUN.exec(id) ?? []
  return runId === undefined || callId === undefined ? { callId: id } : { runId, callId }
}
