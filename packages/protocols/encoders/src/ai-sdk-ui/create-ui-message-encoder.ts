import { checkOptions, jsonTextFault, messageText, type FinishReason, type OptionKinds } from '@parley/core'
import { SSE_HEADERS } from '../kit/sse-stream.ts'
import { fileUrlOf } from '../kit/file-part.ts'
import { createChatStepEncoder, describeForClients, type RunEncoderOptions } from '../chat/chat-encoder.ts'
import type { RunEncoder } from '../kit/run-encoder.ts'
import type { ChatEnding, ChatStep } from '../chat/chat-step.ts'
import { resultText } from '../chat/result-text.ts'
import type { UiMessageChunk } from './ui-message-chunk.ts'

/** Options of `createUiMessageEncoder`. */
export interface UiMessageEncoderOptions extends RunEncoderOptions {
  /** Id of the message that the client builds. @default made from the run's id */
  readonly messageId?: string | undefined
}

/**
 * The HTTP headers of a response with UI message chunks. The chunks are sent as server-sent events that end with
 * `[DONE]`.
 */
export const UI_MESSAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SSE_HEADERS,
  'x-vercel-ai-ui-message-stream': 'v1',
}

const OPTIONS: OptionKinds<UiMessageEncoderOptions> = {
  messageId: 'string',
  describe: 'function',
  prior: 'list',
  now: 'function',
}

/**
 * Creates an encoder for AI SDK UI message streams. Each turn is a step, and the tools are dynamic tools that the
 * server executes. A run that is suspended for approval sends the approval requests and finishes.
 */
export function createUiMessageEncoder(options: UiMessageEncoderOptions = {}): RunEncoder<UiMessageChunk> {
  checkOptions('createUiMessageEncoder', options, OPTIONS)
  const writer = new UiMessageWriter(options)
  return createChatStepEncoder(step => writer.write(step), options)
}

const BY_SERVER = { providerExecuted: true, dynamic: true } as const

/**
 * Returns the fields that mark a call of the server. Tools of the client are declared in its types, so their parts are
 * not dynamic.
 */
function markOf({ execution }: { readonly execution?: 'client' | undefined }): Partial<typeof BY_SERVER> {
  return execution === 'client' ? {} : BY_SERVER
}

class UiMessageWriter {
  readonly #options: UiMessageEncoderOptions
  #messageId: string
  #count = 0
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  readonly #names = new Map<string, string>()
  /** Approvals that this stream asked for. */
  readonly #asked = new Set<string>()
  #begun = false

  constructor(options: UiMessageEncoderOptions) {
    this.#options = options
    this.#messageId = options.messageId ?? 'msg_none'
  }

  #writeProse(kind: 'text' | 'reasoning', delta: string): readonly UiMessageChunk[] {
    const id = this.#open?.id ?? `${kind}_${this.#count++}`
    const opening = this.#open === undefined ? [{ type: `${kind}-start`, id }] : []
    this.#open = { kind, id }
    return [...opening, { type: `${kind}-delta`, id, delta }]
  }

  #endProse(): readonly UiMessageChunk[] {
    if (this.#open === undefined) return []
    const { kind, id } = this.#open
    this.#open = undefined
    return [{ type: `${kind}-end`, id }]
  }

  #writeCall(toolCallId: string, inputTextDelta: string): readonly UiMessageChunk[] {
    return inputTextDelta === '' ? [] : [{ type: 'tool-input-delta', toolCallId, inputTextDelta }]
  }

  #call(step: Extract<ChatStep, { type: 'call' }>): readonly UiMessageChunk[] {
    const { callId, name, arguments: written, delta } = step
    const parsed = parseJson(written)
    const facts = { toolCallId: callId, toolName: name, ...markOf(step) }
    const whole =
      parsed === undefined
        ? { type: 'tool-input-error', ...facts, input: written, errorText: 'The arguments are not valid JSON.' }
        : { type: 'tool-input-available', ...facts, input: parsed.value }
    return [...this.#writeCall(callId, delta), whole]
  }

  #end(ending: ChatEnding): readonly UiMessageChunk[] {
    const { describe = describeForClients } = this.#options
    const opening: readonly UiMessageChunk[] = this.#begun ? [] : [{ type: 'start', messageId: this.#messageId }]
    if (ending.status === 'cancelled') return [...opening, { type: 'abort', reason: describe(ending.error).message }]
    if (ending.status === 'failed' || ending.status === 'rejected') {
      const { message } = describe(ending.error)
      return [...opening, { type: 'error', errorText: message }, { type: 'finish', finishReason: 'error' }]
    }
    return [...opening, { type: 'finish', finishReason: finishOf(ending) }]
  }

  write(step: ChatStep): readonly UiMessageChunk[] {
    switch (step.type) {
      case 'begin':
        this.#begun = true
        this.#messageId = this.#options.messageId ?? `msg_${step.runId}`
        return [{ type: 'start', messageId: this.#messageId }]
      case 'turn':
        return [{ type: 'start-step' }]
      case 'turn-end':
        return [{ type: 'finish-step' }]
      case 'text':
      case 'reasoning':
        return this.#writeProse(step.type, step.text)
      case 'prose-end':
        return this.#endProse()
      case 'file':
        return [{ type: 'file', url: fileUrlOf(step.file), mediaType: step.file.mediaType }]
      case 'call-start':
        this.#names.set(step.callId, step.name)
        return [{ type: 'tool-input-start', toolCallId: step.callId, toolName: step.name, ...markOf(step) }]
      case 'call-delta':
        return this.#writeCall(step.callId, step.delta)
      case 'call':
        return this.#call(step)
      case 'call-broken': {
        const { callId: toolCallId } = step
        const facts = { toolCallId, toolName: this.#names.get(toolCallId) ?? '', ...BY_SERVER }
        return [{ type: 'tool-input-error', ...facts, input: '', errorText: 'The call broke off.' }]
      }
      case 'progress':
        return [
          {
            type: 'tool-output-available',
            toolCallId: step.callId,
            output: step.update,
            ...BY_SERVER,
            preliminary: true,
          },
        ]
      case 'result': {
        const facts = { toolCallId: step.callId, ...BY_SERVER }
        if (step.isRefused) return [{ type: 'tool-output-denied', toolCallId: step.callId }]
        if (step.isError) return [{ type: 'tool-output-error', ...facts, errorText: resultText(step.message) }]
        const { structured = messageText(step.message) } = step.message
        return [{ type: 'tool-output-available', ...facts, output: structured }]
      }
      case 'approval':
        this.#asked.add(step.request.approvalId)
        return [
          {
            type: 'tool-approval-request',
            approvalId: step.request.approvalId,
            toolCallId: step.request.callId,
            reason: step.request.prompt,
          },
        ]
      case 'decision': {
        const { approvalId, decision } = step
        if (!this.#asked.has(approvalId) || (decision.type === 'escalated' && !('agent' in decision))) return []
        const approved = decision.type === 'approved' || decision.type === 'modified'
        const why = decision.type === 'rejected' ? { reason: decision.reason } : {}
        return [{ type: 'tool-approval-response', approvalId, approved, ...why, providerExecuted: true }]
      }
      case 'end':
        return this.#end(step.ending)
    }
  }
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    // An event with a value that is nested too deeply could not be written.
    return jsonTextFault(text) === undefined ? { value: JSON.parse(text) } : undefined
  } catch {
    return undefined
  }
}

const FINISH: Readonly<Partial<Record<FinishReason, string>>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  refusal: 'content-filter',
  error: 'error',
}

function finishOf(ending: ChatEnding): string {
  if (ending.status === 'suspended') return 'tool-calls'
  if (ending.status === 'limit') return 'length'
  return ending.status === 'completed' ? (FINISH[ending.finish] ?? 'other') : 'error'
}
