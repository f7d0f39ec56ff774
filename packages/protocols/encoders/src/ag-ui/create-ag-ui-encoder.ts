import { checkOptions, totalTokens, type ClientCall, type Usage, type OptionKinds } from '@parley/core'
import type { AgUiEvent } from './ag-ui-event.ts'
import { fileUrlOf } from '../kit/file-part.ts'
import { createChatStepEncoder, describeForClients, type RunEncoderOptions } from '../chat/chat-encoder.ts'
import { callsOf } from '../chat/call-tracker.ts'
import type { RunEncoder } from '../kit/run-encoder.ts'
import type { ChatEnding, ChatStep } from '../chat/chat-step.ts'
import { resultText } from '../chat/result-text.ts'

/** Options of `createAgUiEncoder`. */
export interface AgUiEncoderOptions extends RunEncoderOptions {
  /** The client's id of the conversation. @default the run's session */
  readonly threadId?: string | undefined
  /** The client's id of the run. @default the run's id */
  readonly runId?: string | undefined
}

const OPTIONS: OptionKinds<AgUiEncoderOptions> = {
  threadId: 'string',
  runId: 'string',
  describe: 'function',
  prior: 'list',
  now: 'function',
}

/**
 * Creates an encoder for AG-UI events. Each turn is a step. Text and reasoning are messages, and the arguments of calls
 * are sent while the model writes them. A run that waits for the client finishes; the next run brings the results. A
 * run that is suspended for approval finishes with an interrupt for each
 * approval.
 */
export function createAgUiEncoder(options: AgUiEncoderOptions = {}): RunEncoder<AgUiEvent> {
  checkOptions('createAgUiEncoder', options, OPTIONS)
  const writer = new AgUiWriter(options)
  return createChatStepEncoder(step => writer.write(step), options)
}

class AgUiWriter {
  readonly #options: AgUiEncoderOptions
  #ids: { readonly threadId: string; readonly runId: string }
  #prefix: string
  #count = 0
  #open: { readonly kind: 'text' | 'reasoning'; readonly messageId: string } | undefined
  readonly #unfinished = new Set<string>()
  readonly #shown = new Set<string>()
  /** Calls of an earlier stream. A client adds the arguments of a call that begins again to those that it has. */
  readonly #prior: ReadonlySet<string>
  #begun = false

  constructor(options: AgUiEncoderOptions) {
    const { threadId = '', runId = '', prior = [] } = options
    this.#options = options
    this.#ids = { threadId, runId }
    this.#prefix = runId
    this.#prior = new Set(prior.flatMap(callsOf).map(({ callId }) => callId))
  }

  #writeProse(kind: 'text' | 'reasoning', delta: string): readonly AgUiEvent[] {
    const opening: AgUiEvent[] = []
    const messageId = this.#open?.messageId ?? `${this.#prefix}_${this.#count++}`
    if (this.#open === undefined && kind === 'text')
      opening.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
    if (this.#open === undefined && kind === 'reasoning') {
      opening.push({ type: 'REASONING_START', messageId })
      opening.push({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' })
    }
    this.#open = { kind, messageId }
    const type = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT'
    return [...opening, { type, messageId, delta }]
  }

  #endProse(): readonly AgUiEvent[] {
    if (this.#open === undefined) return []
    const { kind, messageId } = this.#open
    this.#open = undefined
    if (kind === 'text') return [{ type: 'TEXT_MESSAGE_END', messageId }]
    return [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ]
  }

  #writeCall(toolCallId: string, delta: string): readonly AgUiEvent[] {
    return delta === '' ? [] : [{ type: 'TOOL_CALL_ARGS', toolCallId, delta }]
  }

  #endCall(toolCallId: string): readonly AgUiEvent[] {
    return this.#unfinished.delete(toolCallId) ? [{ type: 'TOOL_CALL_END', toolCallId }] : []
  }

  /** Shows a call for the client that no step has shown, such as one of a child run. */
  #addCall({ callId: toolCallId, name: toolCallName, input }: ClientCall): readonly AgUiEvent[] {
    if (this.#shown.has(toolCallId)) return []
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
      { type: 'TOOL_CALL_END', toolCallId },
    ]
  }

  #end(ending: ChatEnding, usage: Usage): readonly AgUiEvent[] {
    const { describe = describeForClients } = this.#options
    const opening: AgUiEvent[] = this.#begun ? [] : [{ type: 'RUN_STARTED', ...this.#ids }]
    const tokens = [toTokenUsage(usage)]
    const finish = (outcome: object): readonly AgUiEvent[] => [
      ...opening,
      { type: 'RUN_FINISHED', ...this.#ids, outcome, usage: tokens },
    ]
    if (ending.status === 'completed') return finish({ type: 'success' })
    if (ending.status === 'cancelled') return finish({ type: 'cancelled' })
    if ('error' in ending) return [...opening, { type: 'RUN_ERROR', ...describe(ending.error), usage: tokens }]
    const added = ending.clientCalls.flatMap(call => this.#addCall(call))
    if (ending.approvals.length === 0 && ending.clientCalls.length > 0)
      return [...added, ...finish({ type: 'success' })]
    const interrupts = ending.approvals.map(({ approvalId, callId, prompt, name, input }) => ({
      id: approvalId,
      reason: 'tool_call',
      message: prompt,
      toolCallId: callId,
      responseSchema: APPROVAL_SCHEMA,
      metadata: {
        tool: name,
        input,
      },
    }))
    return [...added, ...finish({ type: 'interrupt', interrupts })]
  }

  write(step: ChatStep): readonly AgUiEvent[] {
    if ((step.type === 'call-start' || step.type === 'call') && this.#prior.has(step.callId)) return []
    switch (step.type) {
      case 'begin':
        this.#begun = true
        this.#ids = { threadId: this.#options.threadId ?? step.sessionId, runId: this.#options.runId ?? step.runId }
        this.#prefix = step.runId
        return [{ type: 'RUN_STARTED', ...this.#ids, timestamp: step.at }]
      case 'turn':
        return [{ type: 'STEP_STARTED', stepName: `turn ${step.turn}` }]
      case 'turn-end':
        return [{ type: 'STEP_FINISHED', stepName: `turn ${step.turn}` }]
      case 'text':
      case 'reasoning':
        return this.#writeProse(step.type, step.text)
      case 'prose-end':
        return this.#endProse()
      case 'file':
        return [...this.#writeProse('text', fileUrlOf(step.file)), ...this.#endProse()]
      case 'call-start':
        this.#unfinished.add(step.callId)
        this.#shown.add(step.callId)
        return [{ type: 'TOOL_CALL_START', toolCallId: step.callId, toolCallName: step.name }]
      case 'call-delta':
        return this.#writeCall(step.callId, step.delta)
      case 'call':
        return [...this.#writeCall(step.callId, step.delta), ...this.#endCall(step.callId)]
      case 'call-broken':
        return this.#endCall(step.callId)
      case 'progress':
        return [{ type: 'CUSTOM', name: 'tool_progress', value: { toolCallId: step.callId, update: step.update } }]
      case 'result': {
        const messageId = `${this.#prefix}_${step.callId}_result`
        const content = resultText(step.message)
        return [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId: step.callId, content, role: 'tool' }]
      }
      case 'approval':
      case 'decision':
        return []
      case 'end':
        return this.#end(step.ending, step.usage)
    }
  }
}

/** Schema of the answer to an interrupt. */
const APPROVAL_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
} as const

function toTokenUsage(usage: Usage) {
  return {
    inputTokens: usage.input + usage.cacheRead + usage.cacheWrite,
    outputTokens: usage.output,
    totalTokens: totalTokens(usage),
    reasoningTokens: usage.reasoning,
    cachedInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite,
  }
}
