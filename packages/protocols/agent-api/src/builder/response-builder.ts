import { createId } from '@parley/core'
import { builderMisuse } from './builder-misuse.ts'
import { CallLedger } from './call-ledger.ts'
import type { EndStatus } from '../protocol/end-status.ts'
import { EventQueue } from './event-queue.ts'
import { frozenCopy } from './frozen-copy.ts'
import { MessageBuilder, type MessageHost } from './message-builder.ts'
import { roleOfType } from '../protocol/message-kind.ts'
import type { AgentError, AgentStatus } from '../schema/event-fields.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentMessage, AgentRole, MessageType } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { JsonObject } from '../schema/json-object.ts'

/**
 * Terminal statuses that the client knows. `standard`: every status of the protocol. `reference`: only `completed` and
 * `failed`; `canceled`, `rejected` and `incomplete` are sent as `failed` with an error that names the reason.
 */
export type AgentProfile = 'standard' | 'reference'

/** Options of `ResponseBuilder`. */
export interface ResponseBuilderOptions {
  /** Id of the response. @default a new id */
  readonly responseId?: string | undefined
  /** Session id in the response. @default null */
  readonly sessionId?: string | null | undefined
  /** Terminal statuses that the client knows. @default 'standard' */
  readonly profile?: AgentProfile | undefined
  /** Current time in milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** Options of `ResponseBuilder.createMessageBuilder`. */
export interface MessageBuilderOptions {
  /** Role of the message. @default the only role that the type allows, or else 'assistant' */
  readonly role?: AgentRole | undefined
  /** Type of the message. @default 'message' */
  readonly messageType?: Exclude<MessageType, 'error' | 'heartbeat'> | undefined
  /** Id of the message. @default a new id */
  readonly id?: string | undefined
}

/** Fields of the end of a response. */
export interface ResponseEnd {
  /** Token counts, including `input_tokens` and `output_tokens`. @default none */
  readonly usage?: Readonly<JsonObject> | undefined
}

/** Errors of the `reference` profile for an end without a reason. */
const REASONS: Partial<Record<EndStatus, AgentError>> = {
  canceled: { code: 'CANCELED', message: 'The run was canceled.' },
  rejected: { code: 'REJECTED', message: 'The request was rejected.' },
  incomplete: { code: 'INCOMPLETE', message: 'The answer was cut short.' },
}

/**
 * Builds one response stream. Every method returns the events to send, in order, numbered from 0 and frozen. Send all
 * of them. A method also sends the events that must come before its own. For example, the first message announces the
 * response, and ending the response ends its open messages. Ending the response again does nothing. Any other call
 * after the end throws `config-invalid`.
 */
export class ResponseBuilder {
  readonly id: string
  readonly sessionId: string | null
  readonly #now: () => number
  readonly #createdAt: number
  readonly #queue = new EventQueue()
  readonly #messages = new Set<MessageBuilder>()
  readonly #output: AgentMessage[] = []
  readonly #host: MessageHost
  readonly #profile: AgentProfile
  #status: AgentStatus | undefined
  #final: AgentResponse | undefined

  constructor({
    now = () => Date.now(),
    responseId = `response_${createId(now())}`,
    sessionId = null,
    profile = 'standard',
  }: ResponseBuilderOptions = {}) {
    this.id = responseId
    this.sessionId = sessionId
    this.#profile = profile
    this.#now = now
    this.#createdAt = Math.floor(now() / 1000)
    this.#host = {
      queue: this.#queue,
      calls: new CallLedger(),
      begin: () => this.#reach('in_progress'),
      ended: message => void this.#output.push(message),
      endAs: (status, error) => this.#endAs(status, error),
    }
  }

  created(): readonly AgentEvent[] {
    this.#reach('created')
    return this.#queue.take()
  }

  /** Reports that the run is queued. */
  queued(): readonly AgentEvent[] {
    this.#reach('queued')
    return this.#queue.take()
  }

  inProgress(): readonly AgentEvent[] {
    this.#reach('in_progress')
    return this.#queue.take()
  }

  completed(end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('completed', undefined, end)
  }

  failed(error: AgentError, end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('failed', error, end)
  }

  /** Ends the response because the run was cancelled. */
  canceled(reason?: AgentError, end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('canceled', reason, end)
  }

  /** Ends the response because the request was not accepted. */
  rejected(error: AgentError): readonly AgentEvent[] {
    return this.#end('rejected', error, {})
  }

  /** Ends the response because a limit was reached. */
  incomplete(reason?: AgentError, end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('incomplete', reason, end)
  }

  /**
   * Creates the next message. Nothing is sent before the message has content. Several messages may be open at the same
   * time.
   * @throws ParleyError `config-invalid` if the role does not fit the type.
   */
  createMessageBuilder({
    messageType: type = 'message',
    role = roleOfType(type) ?? 'assistant',
    id = `msg_${createId(this.#now())}`,
  }: MessageBuilderOptions = {}): MessageBuilder {
    const fitting = roleOfType(type)
    if (fitting !== undefined && role !== fitting)
      throw builderMisuse(`${id}.role`, `must be ${fitting} for ${type}, not ${role}`)
    const message = new MessageBuilder(this.#host, { id, type, role })
    this.#messages.add(message)
    return message
  }

  /** Sends a message of type `error`. The response continues. */
  addError(error: AgentError): readonly AgentEvent[] {
    this.#reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    const message = this.#shortMessage({ id, type: 'error', status: 'failed', role: 'assistant', error, ...error })
    this.#output.push(message)
    this.#queue.send(message)
    return this.#queue.take()
  }

  /** Sends a heartbeat message, for clients that cannot see comments. It is not part of the output. */
  heartbeat(): readonly AgentEvent[] {
    this.#reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    this.#queue.send(this.#shortMessage({ id, type: 'heartbeat', status: 'completed' }))
    return this.#queue.take()
  }

  /** Generates a whole response with one text message. */
  *generateStreamingResponse(tokens: Iterable<string>, role: AgentRole = 'assistant'): Generator<AgentEvent, void> {
    yield* this.created()
    yield* this.inProgress()
    const message = this.createMessageBuilder({ role })
    const text = message.createContentBuilder('text')
    for (const token of tokens) yield* text.addTextDelta(token)
    yield* text.complete()
    yield* message.complete()
    yield* this.completed()
  }

  /** Returns a copy of the response in its current state. `output` contains the messages that have ended. */
  getResponseData(): AgentResponse {
    return this.#final ?? this.#snapshot(this.#status ?? 'created', { output: [...this.#output] })
  }

  #reach(status: 'created' | 'queued' | 'in_progress'): void {
    if (this.#final !== undefined) throw builderMisuse(this.id, `has ended as ${this.#final.status}`)
    if (this.#status === 'in_progress') return
    if (this.#status === undefined) this.#say('created')
    if (status !== 'created' && status !== this.#status) this.#say(status)
  }

  #say(status: AgentStatus): void {
    this.#status = status
    this.#queue.send(this.#snapshot(status))
  }

  #end(asked: EndStatus, cause: AgentError | undefined, { usage }: ResponseEnd): readonly AgentEvent[] {
    if (this.#final !== undefined) return this.#queue.take()
    // A rejected request was never in progress.
    this.#reach(asked === 'rejected' ? 'created' : 'in_progress')
    const { status, error } = this.#endAs(asked, cause)
    for (const message of this.#messages) message.end(asked, error ?? undefined)
    const completedAt = Math.floor(this.#now() / 1000)
    this.#final = this.#snapshot(status, {
      error,
      completed_at: Math.max(completedAt, this.#createdAt),
      output: Object.freeze([...this.#output]) as AgentMessage[],
      usage: usage === undefined ? null : frozenCopy(usage),
    })
    this.#queue.send(this.#final)
    return this.#queue.take()
  }

  #endAs(asked: EndStatus, error: AgentError | undefined): ReturnType<MessageHost['endAs']> {
    if (asked === 'completed') return { status: asked, error: null }
    const known = asked === 'failed' || this.#profile === 'standard'
    if (known) return { status: asked, error: error === undefined ? null : frozenCopy(error) }
    return { status: 'failed', error: error === undefined ? (REASONS[asked] ?? null) : frozenCopy(error) }
  }

  #shortMessage(fields: Pick<AgentMessage, 'id' | 'type' | 'status'> & Partial<AgentMessage>): AgentMessage {
    const { id, type, status, role = null, error = null, code = null, message = null } = fields
    const rest = { sequence_number: null, content: null, usage: null, metadata: null }
    return Object.freeze({ object: 'message', status, error, id, type, role, code, message, ...rest })
  }

  #snapshot(status: AgentStatus, fields: Partial<AgentResponse> = {}): AgentResponse {
    return Object.freeze({
      sequence_number: null,
      object: 'response' as const,
      status,
      error: null,
      id: this.id,
      created_at: this.#createdAt,
      completed_at: null,
      output: null,
      usage: null,
      session_id: this.sessionId,
      ...fields,
    })
  }
}

/** Options of `generateStreamingResponse`. */
export interface StreamingResponseOptions extends ResponseBuilderOptions {
  /** Role of the message. @default 'assistant' */
  readonly role?: AgentRole | undefined
}

/** Generates a whole stream with one text message from these pieces. */
export function generateStreamingResponse(
  tokens: Iterable<string>,
  { role, ...options }: StreamingResponseOptions = {},
): Generator<AgentEvent, void> {
  return new ResponseBuilder(options).generateStreamingResponse(tokens, role)
}
