import type { Json, ModelEvent } from '@parley/core'
import type { TextWriter } from '../wire/create-text-writer.ts'
import { fieldsOf, listOf, textOf, type Fields } from '@parley/provider-kit'

/** The state of one output item of the Responses API while it streams. */
export interface OutputItem {
  /** Id of the call. Missing until `tool-call.start` is emitted. */
  callId: string | undefined
  /** Type of the events that brought the item's text so far. The same text in events of another type is skipped. */
  shown: string | undefined
  /** Index of the last part of the item's reasoning. */
  part: number
}

/** Facts about the items of an answer that decide its finish reason. */
export interface OutputFacts {
  /** Whether the client must act: run a call, or handle an `opaque` item. */
  asksClient: boolean
  /** Whether the answer contains a refusal. */
  refused: boolean
}

export interface OutputScope {
  readonly provider: string
  readonly emit: (event: ModelEvent) => void
  readonly words: TextWriter
  readonly createCallId: () => string
  readonly facts: OutputFacts
}

/** Items, other than function calls, that the client must handle. */
const CLIENT_ITEMS: ReadonlySet<unknown> = new Set([
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'mcp_approval_request',
])

/** Emits the content of a complete item that its deltas have not emitted. */
export function endOutputItem(item: OutputItem, fields: Fields, scope: OutputScope): void {
  switch (fields['type']) {
    case 'message':
      return endMessage(item, fields, scope)
    case 'reasoning':
      return endReasoning(item, fields, scope)
    case 'function_call':
    case 'custom_tool_call':
      return endCall(item, fields, scope)
    default:
      if (isForClient(fields)) scope.facts.asksClient = true
      scope.emit({ type: 'opaque', providerData: { provider: scope.provider, data: { item: fields as Json } } })
  }
}

/** Whether the client must handle an item. For a search for tools, the field `execution` decides. */
function isForClient({ type, execution }: Fields): boolean {
  return CLIENT_ITEMS.has(type) || (type === 'tool_search_call' && execution === 'client')
}

/** Emits `tool-call.start` for a call, once. Returns the id of the call. */
export function startOutputCall(item: OutputItem, fields: Fields, { emit, createCallId }: OutputScope): string {
  if (item.callId !== undefined) return item.callId
  item.callId = textOf(fields['call_id']) || createCallId()
  emit({ type: 'tool-call.start', callId: item.callId, name: textOf(fields['name']) })
  return item.callId
}

function endMessage(item: OutputItem, fields: Fields, { words, facts }: OutputScope): void {
  for (const part of listOf(fields['content'])) {
    const { text, refusal } = fieldsOf(part) ?? {}
    if (textOf(refusal) !== '') facts.refused = true
    if (item.shown !== undefined) continue
    words.text(textOf(text))
    words.refusal(textOf(refusal))
  }
  const phase = textOf(fields['phase'])
  words.end(phase === '' ? undefined : { phase })
}

function endReasoning(item: OutputItem, fields: Fields, { provider, emit }: OutputScope): void {
  const summary = listOf(fields['summary'])
  const content = listOf(fields['content'])
  const text = (summary.length > 0 ? summary : content).map(part => textOf(fieldsOf(part)?.['text'])).join('\n\n')
  if (item.shown === undefined && text !== '') emit({ type: 'reasoning.delta', text })
  const encrypted = textOf(fields['encrypted_content'])
  if (encrypted === '' && content.length === 0) return
  // Open models send reasoning unencrypted. Then its text goes back.
  const reasoning: unknown = { summary, ...(encrypted === '' ? { content } : { encrypted_content: encrypted }) }
  const data = { reasoning: reasoning as Json }
  emit({ type: 'reasoning.end', providerData: { provider, data } })
}

function endCall(item: OutputItem, fields: Fields, scope: OutputScope): void {
  const { provider, emit, facts } = scope
  const isCustom = fields['type'] === 'custom_tool_call'
  const callId = startOutputCall(item, fields, scope)
  const text = textOf(fields['arguments'])
  emit({
    type: 'tool-call',
    callId,
    name: textOf(fields['name']),
    arguments: isCustom ? JSON.stringify(textOf(fields['input'])) : text.trim() === '' ? '{}' : text,
    ...(isCustom ? { providerData: { provider, data: { custom: true } } } : {}),
  })
  facts.asksClient = true
}
