import { fieldsOf, listOf, textOf, type Fields } from '@parley/provider-kit'

/** A piece of a tool call. `''` in a field means that it is missing. */
export interface ToolCallFragment {
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Opaque data that some servers require back with the call. */
  readonly extra: unknown
}

/** The content of one chunk of a stream, or of one whole document. */
export interface ChatDelta {
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly calls: readonly ToolCallFragment[]
  /** Reasoning in the form that OpenRouter requires back. */
  readonly reasoningDetails: readonly unknown[]
  /** Opaque data that some servers require back with the message. Gemini keeps thought signatures there. */
  readonly extra: unknown
  /** The finish reason; `''` until the model stops. */
  readonly finish: string
  /** Token counts as the server sent them. */
  readonly usage: unknown
  /** The failure; `undefined` on success. */
  readonly error: unknown
}

const NONE: readonly never[] = []

/** Reads one chunk, or one document, of a chat completion, including every known deviation of servers. */
export function fromChatChunk(chunk: unknown): ChatDelta {
  const fields = fieldsOf(chunk) ?? {}
  const choice = choiceOf(fields['choices'])
  const delta = fieldsOf(choice?.['delta']) ?? fieldsOf(choice?.['message'])
  const content = delta?.['content']
  return {
    text: typeof content === 'string' ? content : otherText(content, delta),
    reasoning: delta === undefined ? '' : reasoningOf(delta, content),
    refusal: textOf(delta?.['refusal']),
    calls: delta === undefined ? NONE : callsOf(delta),
    reasoningDetails: listOf(delta?.['reasoning_details']),
    extra: delta?.['extra_content'],
    finish: textOf(choice?.['finish_reason']),
    usage: fields['usage'] ?? fieldsOf(fields['x_groq'])?.['usage'] ?? choice?.['usage'] ?? undefined,
    error: fields['error'] ?? undefined,
  }
}

function choiceOf(choices: unknown): Fields | undefined {
  if (!Array.isArray(choices)) return undefined
  const first = fieldsOf(choices[0])
  if (first === undefined || (first['index'] ?? 0) === 0) return first
  return choices.map(fieldsOf).find(choice => choice?.['index'] === 0)
}

function otherText(content: unknown, delta: Fields | undefined): string {
  if (Array.isArray(content)) return joinParts(content, part => (part['type'] === 'text' ? textOf(part['text']) : ''))
  // Spoken answers contain the audio and a transcript.
  return textOf(fieldsOf(delta?.['audio'])?.['transcript'])
}

// If several fields contain reasoning, they contain the same text. The first one counts.
function reasoningOf(delta: Fields, content: unknown): string {
  const plain = textOf(delta['reasoning_content']) || textOf(delta['reasoning'])
  if (plain !== '') return plain
  const thinking = Array.isArray(content) ? joinParts(content, thinkingOf) : ''
  if (thinking !== '') return thinking
  return joinParts(listOf(delta['reasoning_details']), part => textOf(part['text']) || textOf(part['summary']))
}

// Mistral nests the text of a thought one level deeper.
function thinkingOf(part: Fields): string {
  const { type, thinking } = part
  if (type !== 'thinking') return ''
  return typeof thinking === 'string' ? thinking : joinParts(listOf(thinking), inner => textOf(inner['text']))
}

function callsOf(delta: Fields): readonly ToolCallFragment[] {
  const calls = delta['tool_calls']
  if (Array.isArray(calls)) return calls.length === 0 ? NONE : calls.map(toFragment)
  const legacy = fieldsOf(delta['function_call'])
  if (legacy === undefined) return NONE
  const fragment = toFragment({ index: 0, function: legacy })
  return fragment.name === '' && fragment.arguments === '' ? NONE : [fragment]
}

function toFragment(value: unknown): ToolCallFragment {
  const fields = fieldsOf(value) ?? {}
  const called = fieldsOf(fields['function']) ?? fields
  const { index, id } = fields
  const given = called['arguments']
  return {
    index: typeof index === 'number' ? index : undefined,
    id: typeof id === 'number' ? String(id) : textOf(id),
    name: textOf(called['name']),
    arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : textOf(given),
    extra: fields['extra_content'],
  }
}

function joinParts(parts: readonly unknown[], read: (part: Fields) => string): string {
  let text = ''
  for (const part of parts) text += read(fieldsOf(part) ?? {})
  return text
}
