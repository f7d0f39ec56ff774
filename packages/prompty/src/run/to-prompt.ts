import {
  ParleyError,
  type AssistantMessage,
  type AssistantPart,
  type FilePart,
  type Message,
  type SystemPart,
  type TextPart,
} from '@parley/core'
import { repairTranscript } from '@parley/engine/journal'
import type { PromptyMessage, PromptyPart } from '../format/prompty-message.ts'

/** Messages of a file in the form of a model request. */
export interface Prompt {
  readonly system: readonly SystemPart[]
  readonly messages: readonly Message[]
}

/** Providers whose API has a separate field for instructions. All leading system messages go there. */
const APART = new Set(['anthropic', 'google'])

export interface ToPromptOptions {
  readonly provider: string
  readonly apiType: string
}

/** Turns leading system messages into instructions, and the rest into the conversation. */
export function toPrompt(messages: readonly PromptyMessage[], { provider, apiType }: ToPromptOptions): Prompt {
  const leading = messages.findIndex(message => !isSystem(message))
  const all = leading < 0 ? messages.length : leading
  // Other APIs have system messages in the conversation: only the first one becomes the instructions.
  const count = APART.has(provider) || apiType === 'responses' ? all : Math.min(all, 1)
  const system = messages.slice(0, count).map(message => ({ text: textOf(message.content) }))
  const names = new Map<string, string>()
  const rest = messages.slice(count).map((message, index) => toMessage(message, `messages[${index + count}]`, names))
  return { system, messages: repairTranscript(rest) }
}

/** Joins the text of a message's parts. */
export function textOf(parts: readonly PromptyPart[]): string {
  return parts.map(part => (part.kind === 'text' ? part.value : '')).join('')
}

function isSystem({ role }: PromptyMessage): boolean {
  return role === 'system' || role === 'developer'
}

function toMessage(message: PromptyMessage, path: string, names: Map<string, string>): Message {
  const { role, content, metadata } = message
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: textOf(content) }
    case 'user':
      return { role, content: toParts(content, path) }
    case 'assistant':
      return toAssistant(message, path, names)
    case 'tool': {
      const callId = metadata?.['tool_call_id']
      if (typeof callId !== 'string') return refuse(`${path}.metadata.tool_call_id`, 'must be the id of the tool call.')
      const name = names.get(callId) ?? (typeof metadata?.['name'] === 'string' ? metadata['name'] : 'tool')
      return { role, callId, name, content: toParts(content, path) }
    }
  }
}

function toAssistant(
  { content, metadata }: PromptyMessage,
  path: string,
  names: Map<string, string>,
): AssistantMessage {
  const parts: AssistantPart[] = toParts(content, path)
  const calls = metadata?.['tool_calls'] ?? []
  if (!Array.isArray(calls)) return refuse(`${path}.metadata.tool_calls`, 'must be a list of calls.')
  for (const [index, call] of calls.entries()) {
    const { id, function: called } = (call ?? {}) as {
      readonly id?: unknown
      readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
    }
    // `run` returns calls with name and arguments next to the id.
    const { name, arguments: text = '{}' } =
      called ?? ((call ?? {}) as { readonly name?: unknown; readonly arguments?: unknown })
    if (typeof id !== 'string' || typeof name !== 'string' || typeof text !== 'string')
      return refuse(
        `${path}.metadata.tool_calls[${index}]`,
        'must be { id, name, arguments } or { id, function: { name, arguments } }.',
      )
    names.set(id, name)
    parts.push({ type: 'tool-call', callId: id, name, arguments: text })
  }
  return { role: 'assistant', content: parts }
}

function toParts(content: readonly PromptyPart[], path: string): (TextPart | FilePart)[] {
  const parts: (TextPart | FilePart)[] = []
  for (const part of content) {
    const last = parts.at(-1)
    if (part.kind !== 'text') parts.push(toFile(part, path))
    else if (last?.type === 'text') last.text += part.value
    else parts.push({ type: 'text', text: part.value })
  }
  return parts
}

const FAMILIES = { image: 'image/*', audio: 'audio/wav', file: 'application/octet-stream' } as const

function toFile({ kind, value, mediaType }: Exclude<PromptyPart, { kind: 'text' }>, path: string): FilePart {
  if (/^https?:/i.test(value))
    return { type: 'file', mediaType: mediaType ?? FAMILIES[kind], source: { type: 'url', url: value } }
  const data = value.startsWith('data:') ? readDataUrl(value, path) : { data: value, mediaType: undefined }
  return {
    type: 'file',
    mediaType: mediaType ?? data.mediaType ?? FAMILIES[kind],
    source: { type: 'base64', data: data.data },
  }
}

function readDataUrl(url: string, path: string): { readonly data: string; readonly mediaType: string | undefined } {
  const comma = url.indexOf(',')
  const head = url.slice('data:'.length, comma)
  if (comma < 0 || !head.endsWith(';base64')) return refuse(path, 'must be a base64 data: URL.')
  const mediaType = head.slice(0, head.indexOf(';'))
  return { data: url.slice(comma + 1), mediaType: mediaType === '' ? undefined : mediaType }
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
