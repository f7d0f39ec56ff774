import type { UiMessage } from './ui-message.ts'
import type { UiMessageChunk } from './ui-message-chunk.ts'

type Part = { type: string } & Record<string, unknown>

/** Builds the message that a chat of the AI SDK makes of an answer's chunks. It reads the chunks of journals only. */
export class UiMessageReader {
  #id = ''
  readonly #parts: Part[] = []

  get message(): UiMessage {
    return { id: this.#id, role: 'assistant', parts: this.#parts }
  }

  read(chunk: UiMessageChunk): void {
    const { type } = chunk
    if (type === 'start') this.#id = String(chunk['messageId'])
    else if (type === 'start-step') this.#parts.push({ type: 'step-start' })
    else if (type === 'file') this.#parts.push({ ...chunk })
    else if (type.startsWith('tool-')) this.#readTool(chunk)
    else if (/^(?:text|reasoning)-/.test(type)) this.#readProse(chunk)
  }

  #readProse(chunk: UiMessageChunk): void {
    const [type = '', event] = chunk.type.split('-')
    if (event === 'start') {
      const id = type === 'reasoning' ? { id: chunk['id'] } : {}
      this.#parts.push({ type, ...id, text: '', state: 'streaming' })
      return
    }
    const part = this.#parts.findLast(each => each.type === type)
    if (part === undefined) return
    if (event === 'end') part['state'] = 'done'
    else part['text'] = String(part['text']) + String(chunk['delta'])
  }

  #readTool(chunk: UiMessageChunk): void {
    const part = this.#partOf(chunk)
    // The client has executed its own calls.
    if (chunk['providerExecuted'] === true && part.type === 'dynamic-tool') part['providerExecuted'] = true
    Object.assign(part, changeOf(chunk, part))
  }

  #partOf({ toolCallId, approvalId, toolName, dynamic }: UiMessageChunk): Part {
    const isMeant = (part: Part): boolean =>
      toolCallId === undefined
        ? (part['approval'] as { readonly id: unknown } | undefined)?.id === approvalId
        : part['toolCallId'] === toolCallId
    const found = this.#parts.findLast(isMeant)
    if (found !== undefined) return found
    const type = dynamic === true ? { type: 'dynamic-tool', toolName } : { type: `tool-${String(toolName)}` }
    const part: Part = { ...type, toolCallId }
    this.#parts.push(part)
    return part
  }
}

/** What the chunk changes in the part of its call. */
function changeOf(chunk: UiMessageChunk, part: Part): Readonly<Record<string, unknown>> {
  const { type, input, output, errorText, approvalId, approved, reason } = chunk
  switch (type) {
    case 'tool-input-start':
      return { state: 'input-streaming' }
    case 'tool-input-available':
      return { state: 'input-available', input }
    case 'tool-input-error':
      return { state: 'output-error', input, errorText }
    case 'tool-output-available':
      return { state: 'output-available', output, errorText: undefined }
    case 'tool-output-error':
      return { state: 'output-error', errorText }
    case 'tool-output-denied':
      return { state: 'output-denied' }
    case 'tool-approval-request': {
      const why = reason === undefined ? {} : { requestReason: reason }
      return { state: 'approval-requested', approval: { id: approvalId, ...why } }
    }
    case 'tool-approval-response': {
      const why = reason === undefined ? {} : { reason }
      return { state: 'approval-responded', approval: { ...(part['approval'] as object), approved, ...why } }
    }
    default:
      return {}
  }
}
