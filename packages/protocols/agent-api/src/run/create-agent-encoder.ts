import {
  addCost,
  addUsage,
  isEntryEvent,
  toErrorInfo,
  ZERO_USAGE,
  type Cost,
  type Entry,
  type Outcome,
  type RunEvent,
  type Usage,
} from '@parley/core'
import { ResponseBuilder, type AgentProfile, type ResponseEnd } from '../builder/response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import { toAgentError } from './to-agent-error.ts'
import { parseMcpToolName, type McpToolName } from './tool-data.ts'
import { ToolOutput } from './tool-output.ts'
import { toWireUsage } from './to-wire-usage.ts'
import { TurnOutput } from './turn-output.ts'
import type { MessageEnd } from '../builder/message-builder.ts'

export interface AgentEncoderOptions {
  /** @default made from the run's id */
  readonly responseId?: string | undefined
  /** @default the run's session */
  readonly sessionId?: string | undefined
  /** Which ends the client knows. @default 'standard' */
  readonly profile?: AgentProfile | undefined
  /** `delta` sends the arguments of a call as the model writes them; not every client joins them. @default 'snapshot' */
  readonly toolArguments?: 'snapshot' | 'delta' | undefined
  /** The server and the tool behind a name; their calls go out as `mcp_call`. @default reads `mcp__<server>__<tool>` */
  readonly mcpTool?: ((name: string) => McpToolName | undefined) | undefined
  /** Entries of the run that an earlier response has shown: the events are those after them. @default none */
  readonly prior?: readonly Entry[] | undefined
  /** Milliseconds since the epoch, for a stream that ends before its run began. @default the machine's clock */
  readonly now?: (() => number) | undefined
}

/** Turns one run's events into one response. */
export interface AgentEncoder {
  /** What the client is to be sent for this event, in order, numbered and frozen; nothing after the end. */
  push(event: RunEvent): readonly AgentEvent[]
  /** No more events: ends a response that has not ended as failed, with `error` if that is why. */
  end(error?: unknown): readonly AgentEvent[]
  /** Whether the terminal event was given out. */
  readonly ended: boolean
}

/**
 * An encoder for one run.
 *
 * Ids of response and messages, times and the final response depend on the journal alone: encoding the entries again gives
 * the same messages in the same order. Deltas are not journaled, so a stream from the journal has fewer events and
 * numbers of its own; whoever wants to go on at a number needs the events that were sent (see `createEventLog`). What a
 * model wrote of an answer that then failed is only in the live stream.
 *
 * A run that waits for approval completes its response; the decision is a new response, which shows the waiting calls
 * again, because their outputs belong to them, and asks again for what is still to be decided.
 */
export function createAgentEncoder(options: AgentEncoderOptions = {}): AgentEncoder {
  return new RunEncoder(options)
}

class RunEncoder implements AgentEncoder {
  readonly #options: AgentEncoderOptions
  #response: ResponseBuilder | undefined
  #tools: ToolOutput | undefined
  #turn: TurnOutput | undefined
  #turnEnd: MessageEnd = {}
  #runId: string | undefined
  #agent = ''
  /** Of the model calls this response shows. */
  #usage: Usage = ZERO_USAGE
  #cost: Cost | undefined
  #now = 0
  /** Whether the last answer asked for tools. */
  #called = false
  ended = false

  constructor(options: AgentEncoderOptions) {
    this.#options = options
  }

  push(event: RunEvent): readonly AgentEvent[] {
    if (this.ended) return []
    this.#runId ??= event.runId
    // Another run's events: a sub-agent's, say.
    if (event.runId !== this.#runId) return []
    this.#now = event.at
    const opening = this.#response === undefined ? this.#open(event) : []
    const events = this.#encode(event)
    return opening.length === 0 ? events : [...opening, ...events]
  }

  end(error?: unknown): readonly AgentEvent[] {
    if (this.ended) return []
    this.ended = true
    const { now = () => Date.now(), responseId, sessionId, profile } = this.#options
    if (this.#response === undefined) this.#now = now()
    this.#response ??= new ResponseBuilder({ responseId, sessionId, profile, now: () => this.#now })
    const cause = error ?? 'The events of the run ended before the run did.'
    return this.#response.failed(toAgentError(toErrorInfo(cause)), this.#spent)
  }

  #open(event: RunEvent): readonly AgentEvent[] {
    const { runId, seq } = event
    const { prior = [], mcpTool = parseMcpToolName, toolArguments = 'snapshot', profile } = this.#options
    const isWhole = event.type === 'run.started'
    const { responseId = isWhole ? `response_${runId}` : `response_${runId}_${seq}` } = this.#options
    const { sessionId = event.sessionId } = this.#options
    this.#response = new ResponseBuilder({ responseId, sessionId, profile, now: () => this.#now })
    this.#tools = new ToolOutput(this.#response, { idPrefix: `msg_${runId}`, mcpTool, toolArguments })
    for (const entry of prior) this.#learn(entry)
    return [...this.#response.created(), ...this.#response.inProgress()]
  }

  #learn(entry: Entry): void {
    if (entry.type === 'run.started') this.#agent = entry.agent
    if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return
    this.#tools?.know(entry.message.content.filter(part => part.type === 'tool-call'))
  }

  #encode(event: RunEvent): readonly AgentEvent[] {
    if (isEntryEvent(event)) return this.#encodeEntry(event)
    switch (event.type) {
      case 'model.started':
        this.#turn = this.#turnOutput(event.turn)
        return []
      // Whoever missed the beginning of an answer gets it whole.
      case 'text.delta':
        return this.#turn?.write('text', event.text) ?? []
      case 'reasoning.delta':
        return this.#turn?.write('reasoning', event.text) ?? []
      case 'tool-call.start':
        return this.#turn?.beginCall(event.callId, event.name) ?? []
      case 'tool-call.delta':
        return this.#tools?.write(event.callId, event.delta) ?? []
      case 'tool.progress':
        return this.#tools?.progressed(event.callId, event.update) ?? []
      case 'run.interrupted':
        return this.#finish(response => response.failed(toAgentError(event.error), this.#spent))
      case 'output.delta':
      case 'context.compacting':
      case 'run.queued':
      case 'model.request':
      case 'model.retrying':
      case 'model.usage':
      case 'middleware.failed':
        return []
    }
  }

  #encodeEntry(event: Entry): readonly AgentEvent[] {
    switch (event.type) {
      case 'run.started':
        this.#agent = event.agent
        return []
      case 'model.called':
        this.#turn ??= this.#turnOutput(event.turn)
        this.#turnEnd = { usage: toWireUsage(event.usage, event.cost) }
        this.#spend(event)
        return []
      case 'message.appended':
        return event.message.role === 'assistant' ? this.#answered(event) : []
      case 'model.failed':
        this.#spend(event)
        return this.#leaveTurn(turn => turn.breakOff(event.error))
      case 'answer.discarded':
        // What was shown of it stays, marked as cut off.
        return this.#leaveTurn(turn => turn.finish({ role: 'assistant', content: [] }, {}))
      case 'tool.started':
        return this.#tools?.started(event.callId, event.name, event.input) ?? []
      case 'tool.ended':
        return this.#tools?.ended(event, event.message) ?? []
      case 'approval.requested':
        return this.#tools?.asked(event.request, this.#agent) ?? []
      case 'approval.decided':
        return this.#tools?.decided(event.approvalId, event.decision) ?? []
      case 'run.suspended': {
        const asked = this.#tools?.waiting(event.approvals, this.#agent) ?? []
        if (event.reason === 'shutdown') {
          // Whoever takes the run up goes on with it: this answer is not its end.
          const error = toAgentError({ code: 'runtime-closed' })
          return [...asked, ...this.#finish(response => response.incomplete(error, this.#spent))]
        }
        return [...asked, ...this.#finish(response => response.completed(this.#spent))]
      }
      case 'run.ended':
        return this.#finish(response => endWith(response, event.outcome, this.#spent))
      case 'output.accepted':
        return this.#accepted(event)
      // What sub-agents do is within the call that asked for it.
      case 'agent.started':
      case 'agent.suspended':
      case 'agent.ended':
      case 'agent.changed':
      case 'context.compacted':
      case 'request.kept':
      case 'run.resumed':
      case 'input.queued':
      case 'input.dropped':
      case 'input.filtered':
      case 'output.rejected':
      case 'run.failed':
      case 'cancel.requested':
      case 'limit.reached':
        return []
    }
  }

  #answered({ message, seq }: Extract<Entry, { type: 'message.appended' }>): readonly AgentEvent[] {
    if (message.role !== 'assistant') return []
    this.#turn ??= this.#turnOutput(`s${seq}`)
    const end = this.#turnEnd
    this.#called = message.content.some(part => part.type === 'tool-call')
    return this.#leaveTurn(turn => turn.finish(message, end))
  }

  /** What the run was for. An answer in text has shown it; one by a tool has not. */
  #accepted({ value, seq }: Extract<Entry, { type: 'output.accepted' }>): readonly AgentEvent[] {
    if (!this.#called || this.#response === undefined) return []
    const message = this.#response.createMessageBuilder({ id: `msg_${this.#runId}_s${seq}_output` })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [...message.addContent('text', { text }), ...message.complete()]
  }

  #turnOutput(turn: number | string): TurnOutput | undefined {
    if (this.#response === undefined || this.#tools === undefined) return undefined
    return new TurnOutput(this.#response, this.#tools, `msg_${this.#runId}_${turn}`)
  }

  #leaveTurn(how: (turn: TurnOutput) => readonly AgentEvent[]): readonly AgentEvent[] {
    const turn = this.#turn
    this.#turn = undefined
    this.#turnEnd = {}
    return turn === undefined ? [] : how(turn)
  }

  #spend({ usage, cost }: { readonly usage: Usage; readonly cost?: Cost | undefined }): void {
    this.#usage = addUsage(this.#usage, usage)
    this.#cost = addCost(this.#cost, cost)
  }

  get #spent(): ResponseEnd {
    return { usage: toWireUsage(this.#usage, this.#cost) }
  }

  #finish(how: (response: ResponseBuilder) => readonly AgentEvent[]): readonly AgentEvent[] {
    this.ended = true
    return this.#response === undefined ? [] : how(this.#response)
  }
}

function endWith(response: ResponseBuilder, outcome: Outcome, end: ResponseEnd): readonly AgentEvent[] {
  switch (outcome.status) {
    case 'completed':
      if (outcome.finish === 'length') {
        const reason = { code: 'MAX_OUTPUT_TOKENS', message: 'The answer reached the most tokens it may have.' }
        return response.incomplete(reason, end)
      }
      if (outcome.finish === 'content-filter') {
        const reason = { code: 'CONTENT_FILTER', message: 'The content filter of the model cut the answer short.' }
        return response.incomplete(reason, end)
      }
      return response.completed(end)
    case 'limit': {
      const { limit, max, value } = outcome.hit
      return response.incomplete(toAgentError({ code: 'limit-reached', limit, max, value }), end)
    }
    case 'cancelled':
      return response.canceled(toAgentError({ code: 'cancelled', ...outcome.reason }), end)
    case 'rejected': {
      const { filter, reason } = outcome
      return response.rejected(toAgentError({ code: 'input-rejected', filter, reason }))
    }
    case 'failed':
      return response.failed(toAgentError(outcome.error), end)
  }
}
