import type { Json, ModelEvent } from '@parley/core'
import { fieldsOf, textOf, type Fields } from '@parley/provider-kit'

/** Turns content blocks, complete or in pieces, into model events. */
export interface BlockReader {
  start(index: unknown, block: Fields): void
  delta(index: unknown, delta: Fields): void
  stop(index: unknown): void
  /** Ends all open blocks. Returns the number of tool calls. @param options `cut`: whether the answer was truncated. */
  finish(options: { readonly cut: boolean }): number
  /** Whether any block has begun. */
  hasBegun(): boolean
}

export interface BlockReaderOptions {
  readonly provider: string
  readonly emit: (event: ModelEvent) => void
  /** Creates the id of a call that arrives without one. Servers that imitate the API may omit it. */
  readonly createCallId: () => string
}

interface OpenBlock {
  readonly type: string
  /** The block so far. Unknown blocks are sent back in this form. */
  readonly fields: Record<string, unknown>
  signature: string
  /** The JSON text received so far. */
  json: string
  readonly citations: Json[]
}

/** Creates a reader that identifies blocks by their index only and accepts them in any order. */
export function createBlockReader({ provider, emit, createCallId }: BlockReaderOptions): BlockReader {
  const open = new Map<unknown, OpenBlock>()
  // A call without arguments may be complete, or truncated before its arguments. The next block or the end decides.
  let pending: ((text: string) => void) | undefined
  let begun = false
  let calls = 0

  function endCall({ fields, json }: OpenBlock): void {
    const { type: _, id, name, input, ...rest } = fields
    const callId = textOf(id)
    const data = extraOf(rest)
    const send = (text: string): void =>
      emit({
        type: 'tool-call',
        callId,
        name: textOf(name),
        arguments: text,
        ...(data === undefined ? {} : { providerData: { provider, data: { call: data } } }),
      })
    calls++
    const given = json.trim() === '' && Object.keys(fieldsOf(input) ?? {}).length > 0 ? JSON.stringify(input) : json
    if (given.trim() !== '') send(given)
    else pending = send
  }

  function end(block: OpenBlock): void {
    const { type, fields, signature, json, citations } = block
    if (type === 'text')
      emit(citations.length === 0 ? { type: 'text.end' } : { type: 'text.end', providerData: own({ citations }) })
    else if (type === 'thinking')
      emit(signature === '' ? { type: 'reasoning.end' } : { type: 'reasoning.end', providerData: own({ signature }) })
    else if (type === 'redacted_thinking')
      emit({ type: 'reasoning.end', providerData: own({ redacted_thinking: fields['data'] as Json }) })
    else if (type === 'tool_use') endCall(block)
    else emit({ type: 'opaque', providerData: own({ block: { ...fields, ...inputOf(json) } as Json }) })
  }

  const own = (data: Json): { provider: string; data: Json } => ({ provider, data })

  function settle(text: string): void {
    pending?.(text)
    pending = undefined
  }

  return {
    hasBegun: () => begun,
    start(index, block) {
      settle('{}')
      begun = true
      const type = textOf(block['type'])
      const signature = textOf(block['signature'])
      const id = type === 'tool_use' && textOf(block['id']) === '' ? { id: createCallId() } : {}
      const fields: Record<string, unknown> = { ...block, ...id }
      open.set(index, { type, fields, signature, json: '', citations: [...citationsOf(block)] })
      const text = textOf(block[type])
      if (type === 'text' && text !== '') emit({ type: 'text.delta', text })
      else if (type === 'thinking' && text !== '') emit({ type: 'reasoning.delta', text })
      else if (type === 'tool_use')
        emit({ type: 'tool-call.start', callId: textOf(fields['id']), name: textOf(fields['name']) })
    },
    delta(index, delta) {
      const block = open.get(index)
      if (block !== undefined) readDelta(block, delta, emit)
    },
    stop(index) {
      const block = open.get(index)
      open.delete(index)
      if (block !== undefined) end(block)
    },
    finish({ cut }) {
      for (const block of open.values()) end(block)
      open.clear()
      settle(cut ? '' : '{}')
      return calls
    },
  }
}

function readDelta(block: OpenBlock, delta: Fields, emit: (event: ModelEvent) => void): void {
  const { fields } = block
  switch (delta['type']) {
    case 'text_delta':
      if (delta['text'] !== '') emit({ type: 'text.delta', text: textOf(delta['text']) })
      break
    case 'thinking_delta':
      if (delta['thinking'] !== '') emit({ type: 'reasoning.delta', text: textOf(delta['thinking']) })
      break
    case 'signature_delta':
      block.signature += textOf(delta['signature'])
      break
    case 'citations_delta':
      block.citations.push(...citationsOf({ citations: [delta['citation']] }))
      break
    case 'input_json_delta': {
      const piece = textOf(delta['partial_json'])
      block.json += piece
      if (block.type === 'tool_use' && piece !== '')
        emit({ type: 'tool-call.delta', callId: textOf(fields['id']), delta: piece })
      break
    }
    default:
      // Unknown kind of delta: its fields are kept, to be sent back with the block.
      for (const [name, value] of Object.entries(delta))
        if (name !== 'type') fields[name] = typeof value === 'string' ? textOf(fields[name]) + value : value
  }
}

/**
 * Returns the citations that must be sent back to the API: those of its web search, which contain an encrypted index.
 */
function citationsOf({ citations }: Fields): readonly Json[] {
  if (!Array.isArray(citations)) return []
  return (citations as Json[]).filter(citation => fieldsOf(citation)?.['type'] === 'web_search_result_location')
}

/** Returns the unusual fields of a call, such as the code that made it; `undefined` for a plain call. */
function extraOf(rest: Fields): Json | undefined {
  const kept = Object.entries(rest).filter(([, value]) => value !== null && fieldsOf(value)?.['type'] !== 'direct')
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Json)
}

function inputOf(json: string): { readonly input?: unknown } {
  if (json.trim() === '') return {}
  try {
    return { input: JSON.parse(json) as unknown }
  } catch {
    return {}
  }
}
