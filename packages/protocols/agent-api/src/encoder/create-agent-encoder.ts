import { checkOptions, type Entry, type OptionKinds, type RunEvent } from '@parley/core'
import { encodeRun, type RunEncoder } from '@parley/encoders'
import {
  createRunEncoder,
  parseMcpToolName,
  type McpToolName,
  type RunAnswer,
  type RunBegin,
  type RunEnd,
  type RunStep,
} from '@parley/encoders/kit'
import type { MessageEnd } from '../builder/message-draft.ts'
import { ResponseBuilder } from '../builder/response-builder.ts'
import type { AgentProfile, ResponseEnd } from '../builder/response-draft.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import { ApprovalOutput } from './approval-output.ts'
import { toAgentError } from './to-agent-error.ts'
import { ToolOutput } from './tool-output.ts'
import { toWireUsage } from './to-wire-usage.ts'
import { TurnOutput } from './turn-output.ts'

/** Options of `createAgentEncoder` and `agentApiStream`. */
export interface AgentEncoderOptions {
  /** Id of the response. @default made from the run's id */
  readonly responseId?: string | undefined
  /** Session id in the response. @default the run's session */
  readonly sessionId?: string | undefined
  /** Terminal statuses that the client knows. @default 'standard' */
  readonly profile?: AgentProfile | undefined
  /**
   * `delta` sends the arguments of a call as the model writes them; not every client joins the deltas. `snapshot` sends
   * them once they are complete. @default 'snapshot'
   */
  readonly toolArguments?: 'snapshot' | 'delta' | undefined
  /** Finds the MCP server behind a tool name. Calls of such a tool are sent as `mcp_call`. @default reads `mcp__<server>__<tool>` */
  readonly mcpTool?: ((name: string) => McpToolName | undefined) | undefined
  /** Entries of the run that an earlier response has shown. The events to encode come after them. @default [] */
  readonly prior?: readonly Entry[] | undefined
  /** Milliseconds since the epoch, for a stream that ends before the first event of its run. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** Encodes the events of one run as the events of one response. The encoded events are numbered and frozen. */
export type AgentEncoder = RunEncoder<AgentEvent>

const OPTIONS: OptionKinds<AgentEncoderOptions> = {
  responseId: 'string',
  sessionId: 'string',
  profile: ['standard', 'reference'],
  toolArguments: ['snapshot', 'delta'],
  mcpTool: 'function',
  prior: 'list',
  now: 'function',
}

/**
 * Creates an encoder for one run.
 *
 * The final response, its ids and its times depend only on the journal. So encoding the entries again produces the same
 * messages in the same order. The journal contains no deltas, so a stream made from it has fewer events and other
 * numbers. To resume a stream after a number, keep the events that were sent (see `createEventLog`). If an answer
 * fails, its text is only in the live stream.
 *
 * A run that is suspended for approval completes its response. The decision starts a new response. That response shows
 * the suspended calls again, because their outputs must follow them, and repeats the requests that are still pending.
 */
export function createAgentEncoder(options: AgentEncoderOptions = {}): AgentEncoder {
  checkOptions('createAgentEncoder', options, OPTIONS)
  const output = new ResponseOutput(options)
  return createRunEncoder(step => output.encode(step), options.now)
}

/**
 * Encodes a run as the stream of one response. Always ends with one terminal event and never throws: a failure is in
 * that event. A slow reader does not slow the run, because the run's own feed joins the deltas that were not read.
 * Leaving the loop stops watching the run. It does not stop the run.
 */
export function agentApiStream(
  run: AsyncIterable<RunEvent>,
  options: AgentEncoderOptions = {},
): AsyncIterableIterator<AgentEvent, undefined> {
  return encodeRun(run, createAgentEncoder(options))
}

/** The response of a run as it grows. */
class ResponseOutput {
  readonly #options: AgentEncoderOptions
  #response: ResponseBuilder | undefined
  #tools: ToolOutput | undefined
  #approvals: ApprovalOutput | undefined
  #turn: TurnOutput | undefined
  #runId = ''
  /** Name of the agent, from the entries in `prior`. */
  #priorAgent = ''
  /** Time in the response: the time of its first step, and later the time of its end. */
  #now = 0

  constructor(options: AgentEncoderOptions) {
    this.#options = options
  }

  encode(step: RunStep): readonly AgentEvent[] {
    switch (step.type) {
      case 'begin':
        return this.#begin(step)
      case 'turn':
        this.#turn = this.#turnOutput(step.turn)
        return []
      case 'text':
      case 'reasoning':
        return this.#turn?.write(step.type, step.text) ?? []
      case 'call-start':
        return this.#turn?.beginCall(step) ?? []
      case 'call-delta':
        return this.#tools?.write(step.callId, step.delta) ?? []
      case 'answer':
        return this.#answered(step)
      case 'answer-failed':
        return this.#leaveTurn(turn => turn.breakOff(step.error))
      case 'answer-discarded':
        // Text that was sent stays in the response, with the status `incomplete`.
        return this.#leaveTurn(turn => turn.finish({ role: 'assistant', content: [] }, {}))
      case 'tool-started':
        return this.#tools?.started(step.callId, step.name, step.input) ?? []
      case 'progress':
        return this.#tools?.progressed(step.callId, step.update) ?? []
      case 'tool-ended':
        return this.#tools?.ended(step.callId, step.name, step.message) ?? []
      case 'output':
        return this.#accepted(step)
      case 'approval':
        return this.#approvals?.asked(step.request, step.agent || this.#priorAgent) ?? []
      case 'decision':
        return this.#approvals?.decided(step.approvalId, step.decision) ?? []
      case 'end':
        return this.#end(step)
    }
  }

  #begin({ runId, sessionId: session, seq, isStart, at }: RunBegin): readonly AgentEvent[] {
    const { prior = [], mcpTool = parseMcpToolName, toolArguments = 'snapshot', profile } = this.#options
    const { responseId = isStart ? `response_${runId}` : `response_${runId}_${seq}` } = this.#options
    const { sessionId = session } = this.#options
    this.#now = at
    this.#runId = runId
    this.#response = new ResponseBuilder({ responseId, sessionId, profile, now: () => this.#now })
    const toolOptions = { idPrefix: `msg_${runId}`, mcpTool, toolArguments }
    this.#tools = new ToolOutput(this.#response, toolOptions)
    this.#approvals = new ApprovalOutput(this.#response, this.#tools, toolOptions)
    for (const entry of prior) this.#learn(entry)
    return [...this.#response.created(), ...this.#response.inProgress()]
  }

  #learn(entry: Entry): void {
    if (entry.type === 'run.started') this.#priorAgent = entry.agent
    if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return
    this.#tools?.know(entry.message.content.filter(part => part.type === 'tool-call'))
  }

  #turnOutput(turn: number | string): TurnOutput | undefined {
    if (this.#response === undefined || this.#tools === undefined) return undefined
    return new TurnOutput(this.#response, this.#tools, `msg_${this.#runId}_${turn}`)
  }

  #leaveTurn(encode: (turn: TurnOutput) => readonly AgentEvent[]): readonly AgentEvent[] {
    const turn = this.#turn
    this.#turn = undefined
    return turn === undefined ? [] : encode(turn)
  }

  #answered({ message, seq, spent }: RunAnswer): readonly AgentEvent[] {
    this.#turn ??= this.#turnOutput(`s${seq}`)
    const end: MessageEnd = spent === undefined ? {} : { usage: toWireUsage(spent.usage, spent.cost) }
    return this.#leaveTurn(turn => turn.finish(message, end))
  }

  #accepted({ value, seq }: Extract<RunStep, { type: 'output' }>): readonly AgentEvent[] {
    if (this.#response === undefined) return []
    const message = this.#response.createMessageBuilder({ id: `msg_${this.#runId}_s${seq}_output` })
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [...message.addContent('text', { text }), ...message.complete()]
  }

  #end({ ending, usage, cost, at }: RunEnd): readonly AgentEvent[] {
    const { responseId, sessionId, profile } = this.#options
    this.#now = at
    const response = this.#response ?? new ResponseBuilder({ responseId, sessionId, profile, now: () => at })
    return endResponse(response, ending, { usage: toWireUsage(usage, cost) })
  }
}

function endResponse(response: ResponseBuilder, ending: RunEnd['ending'], end: ResponseEnd): readonly AgentEvent[] {
  switch (ending.status) {
    case 'completed':
      if (ending.finish === 'length') {
        const reason = { code: 'MAX_OUTPUT_TOKENS', message: 'The answer reached its token limit.' }
        return response.incomplete(reason, end)
      }
      if (ending.finish === 'content-filter') {
        const reason = { code: 'CONTENT_FILTER', message: 'The content filter of the model cut the answer short.' }
        return response.incomplete(reason, end)
      }
      return response.completed(end)
    case 'suspended':
      return response.completed(end)
    case 'released':
    case 'limit':
      return response.incomplete(toAgentError(ending.error), end)
    case 'cancelled':
      return response.canceled(toAgentError(ending.error), end)
    case 'rejected':
      return response.rejected(toAgentError(ending.error))
    case 'failed':
      return response.failed(toAgentError(ending.error), end)
  }
}
