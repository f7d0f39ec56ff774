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
 * `standard` uses every status of the protocol. `reference` is for clients that know only two ends, `completed` and
 * `failed`: what was canceled, rejected or cut short is told them as failed, with an error that says so.
 */
export type AgentProfile = 'standard' | 'reference'

export interface ResponseBuilderOptions {
  /** @default a new one */
  readonly responseId?: string | undefined
  /** @default null */
  readonly sessionId?: string | null | undefined
  /** @default 'standard' */
  readonly profile?: AgentProfile | undefined
  /** Milliseconds since the epoch. @default the machine's clock */
  readonly now?: (() => number) | undefined
}

export interface MessageBuilderOptions {
  /** Where the type allows only one, that is the default. @default 'assistant' */
  readonly role?: AgentRole | undefined
  /** @default 'message' */
  readonly messageType?: Exclude<MessageType, 'error' | 'heartbeat'> | undefined
  /** @default a new one */
  readonly id?: string | undefined
}

export interface ResponseEnd {
  /** Tokens, `input_tokens` and `output_tokens` among them. @default none */
  readonly usage?: Readonly<JsonObject> | undefined
}

/** What the `reference` profile says where the caller gave no reason. */
const REASONS: Partial<Record<EndStatus, AgentError>> = {
  canceled: { code: 'CANCELED', message: 'The run was canceled.' },
  rejected: { code: 'REJECTED', message: 'The request was rejected.' },
  incomplete: { code: 'INCOMPLETE', message: 'The answer was cut short.' },
}

/**
 * Builds one response stream. Every method returns the events to send, in order, numbered from 0 and frozen; sending
 * them all is all there is to do. What a step presupposes is sent with it: a response is announced with its first
 * message, and ending it ends what is open below. Ending it again does nothing; going on after the end throws
 * `config-invalid`.
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

  /** Says that the run has to wait for its turn. */
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

  /** The client, or somebody else, stopped it. */
  canceled(reason?: AgentError, end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('canceled', reason, end)
  }

  /** The request was not taken on. */
  rejected(error: AgentError): readonly AgentEvent[] {
    return this.#end('rejected', error, {})
  }

  /** A limit cut it short. */
  incomplete(reason?: AgentError, end: ResponseEnd = {}): readonly AgentEvent[] {
    return this.#end('incomplete', reason, end)
  }

  /**
   * The next message. Nothing is sent before it has content. Several may be open at once.
   * @throws ParleyError `config-invalid` for a role that does not fit the type.
   */
  createMessageBuilder({
    messageType: type = 'message',
    role = roleOfType(type) ?? 'assistant',
    id = `msg_${createId(this.#now())}`,
  }: MessageBuilderOptions = {}): MessageBuilder {
    const fitting = roleOfType(type)
    if (fitting !== undefined && role !== fitting)
      throw builderMisuse(`${id}.role`, `is ${role}; ${type} needs ${fitting}`)
    const message = new MessageBuilder(this.#host, { id, type, role })
    this.#messages.add(message)
    return message
  }

  /** A message of type `error`: something went wrong, and the response goes on. */
  addError(error: AgentError): readonly AgentEvent[] {
    this.#reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    const message = this.#shortMessage({ id, type: 'error', status: 'failed', role: 'assistant', error, ...error })
    this.#output.push(message)
    this.#queue.send(message)
    return this.#queue.take()
  }

  /** A sign of life for a client that cannot see comments. It is no part of the output. */
  heartbeat(): readonly AgentEvent[] {
    this.#reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    this.#queue.send(this.#shortMessage({ id, type: 'heartbeat', status: 'completed' }))
    return this.#queue.take()
  }

  /** A whole response of one text message. */
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

  /** The response as it is so far; a copy. `output` holds the messages that have ended. */
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
    // A rejected request was never worked on.
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

export interface StreamingResponseOptions extends ResponseBuilderOptions {
  /** @default 'assistant' */
  readonly role?: AgentRole | undefined
}

/** A whole stream whose answer is one text message, made of these pieces. */
export function generateStreamingResponse(
  tokens: Iterable<string>,
  { role, ...options }: StreamingResponseOptions = {},
): Generator<AgentEvent, void> {
  return new ResponseBuilder(options).generateStreamingResponse(tokens, role)
}
