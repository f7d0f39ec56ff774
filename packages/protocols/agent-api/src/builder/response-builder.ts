import { createId, checkOptions, type OptionKinds } from '@parley/core'
import type { EndStatus } from '../protocol/end-status.ts'
import { roleOfType } from '../protocol/message-kind.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { AgentMessage, AgentRole, MessageType } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { AgentError } from '../schema/event-fields.ts'
import { builderMisuse } from './builder-misuse.ts'
import { MessageBuilder } from './message-builder.ts'
import { ResponseDraft, type AgentProfile, type ResponseEnd } from './response-draft.ts'

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

const OPTIONS: OptionKinds<ResponseBuilderOptions> = {
  responseId: 'string',
  sessionId: 'string or null',
  profile: ['standard', 'reference'],
  now: 'function',
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
  readonly #draft: ResponseDraft

  constructor(options: ResponseBuilderOptions = {}) {
    checkOptions('ResponseBuilder', options, OPTIONS)
    const { now = () => Date.now(), sessionId = null, profile = 'standard' } = options
    const { responseId: id = `response_${createId(now())}` } = options
    this.id = id
    this.sessionId = sessionId
    this.#now = now
    this.#draft = new ResponseDraft({ id, sessionId, profile, now })
  }

  created(): readonly AgentEvent[] {
    this.#draft.reach('created')
    return this.#draft.queue.take()
  }

  /** Reports that the run is queued. */
  queued(): readonly AgentEvent[] {
    this.#draft.reach('queued')
    return this.#draft.queue.take()
  }

  inProgress(): readonly AgentEvent[] {
    this.#draft.reach('in_progress')
    return this.#draft.queue.take()
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
   * Makes the next message. Nothing is sent before it has content. Several messages may be open at the same time.
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
    return new MessageBuilder(this.#draft.message({ id, type, role }))
  }

  /** Sends a message of type `error`. The response continues. */
  addError(error: AgentError): readonly AgentEvent[] {
    this.#draft.reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    const message = shortMessage({ id, type: 'error', status: 'failed', role: 'assistant', error, ...error })
    this.#draft.ended(message)
    this.#draft.queue.send(message)
    return this.#draft.queue.take()
  }

  /** Sends a heartbeat message, for clients that cannot see comments. It is not part of the output. */
  heartbeat(): readonly AgentEvent[] {
    this.#draft.reach('in_progress')
    const id = `msg_${createId(this.#now())}`
    this.#draft.queue.send(shortMessage({ id, type: 'heartbeat', status: 'completed' }))
    return this.#draft.queue.take()
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

  /** Gives a copy of the response as it is so far. `output` holds the messages that have ended. */
  getResponseData(): AgentResponse {
    return this.#draft.copy()
  }

  #end(status: EndStatus, error: AgentError | undefined, end: ResponseEnd): readonly AgentEvent[] {
    this.#draft.end(status, error, end)
    return this.#draft.queue.take()
  }
}

/** Makes a message that is sent whole. */
function shortMessage(fields: Pick<AgentMessage, 'id' | 'type' | 'status'> & Partial<AgentMessage>): AgentMessage {
  const { id, type, status, role = null, error = null, code = null, message = null } = fields
  const rest = { sequence_number: null, content: null, usage: null, metadata: null }
  return Object.freeze({ object: 'message', status, error, id, type, role, code, message, ...rest })
}

/** Options of `generateStreamingResponse`. */
export interface StreamingResponseOptions extends ResponseBuilderOptions {
  /** Role of the message. @default 'assistant' */
  readonly role?: AgentRole | undefined
}

/** Generates a whole stream with one text message from the given pieces of text. */
export function generateStreamingResponse(
  tokens: Iterable<string>,
  { role, ...options }: StreamingResponseOptions = {},
): Generator<AgentEvent, void> {
  return new ResponseBuilder(options).generateStreamingResponse(tokens, role)
}
