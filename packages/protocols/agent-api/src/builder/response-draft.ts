import type { EndStatus } from '../protocol/end-status.ts'
import type { AgentMessage } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { AgentError, AgentStatus } from '../schema/event-fields.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { builderMisuse } from './builder-misuse.ts'
import { CallLedger } from './call-ledger.ts'
import { EventQueue } from './event-queue.ts'
import { frozenCopy } from './frozen-copy.ts'
import { MessageDraft, type MessageFacts, type MessageHost } from './message-draft.ts'

/**
 * Terminal statuses that the client knows. `standard`: every status of the protocol. `reference`: only `completed` and
 * `failed`; `canceled`, `rejected` and `incomplete` are sent as `failed` with an error that names the reason.
 */
export type AgentProfile = 'standard' | 'reference'

export interface ResponseFacts {
  readonly id: string
  readonly sessionId: string | null
  readonly profile: AgentProfile
  /** Current time in milliseconds since the epoch. */
  readonly now: () => number
}

/** Fields of the end of a response. */
export interface ResponseEnd {
  /** Token counts, including `input_tokens` and `output_tokens`. @default none */
  readonly usage?: Readonly<JsonObject> | undefined
}

/** Errors of the `reference` profile if the caller gave no reason. */
const REASONS: Partial<Record<EndStatus, AgentError>> = {
  canceled: { code: 'CANCELED', message: 'The run was canceled.' },
  rejected: { code: 'REJECTED', message: 'The request was rejected.' },
  incomplete: { code: 'INCOMPLETE', message: 'The answer was cut short.' },
}

/** One response as it grows: its messages so far, its status and its end. Queues the events of the response. */
export class ResponseDraft implements MessageHost {
  readonly queue = new EventQueue()
  readonly calls = new CallLedger()
  readonly #facts: ResponseFacts
  readonly #createdAt: number
  readonly #messages = new Set<MessageDraft>()
  readonly #output: AgentMessage[] = []
  #status: AgentStatus | undefined
  #final: AgentResponse | undefined

  constructor(facts: ResponseFacts) {
    this.#facts = facts
    this.#createdAt = Math.floor(facts.now() / 1000)
  }

  /** Makes a message that joins the response with its first event. */
  message(facts: MessageFacts): MessageDraft {
    const message = new MessageDraft(this, facts)
    this.#messages.add(message)
    return message
  }

  begin(): void {
    this.reach('in_progress')
  }

  ended(message: AgentMessage): void {
    this.#output.push(message)
  }

  /** Sends the statuses up to this one that are not sent yet. @throws ParleyError `config-invalid` after the end. */
  reach(status: 'created' | 'queued' | 'in_progress'): void {
    if (this.#final !== undefined) throw builderMisuse(this.#facts.id, `has ended as ${this.#final.status}`)
    if (this.#status === 'in_progress') return
    if (this.#status === undefined) this.#say('created')
    if (status !== 'created' && status !== this.#status) this.#say(status)
  }

  /** Ends the open messages and the response. Does nothing if it has ended. */
  end(asked: EndStatus, cause: AgentError | undefined, { usage }: ResponseEnd): void {
    if (this.#final !== undefined) return
    // A rejected request was never in progress.
    this.reach(asked === 'rejected' ? 'created' : 'in_progress')
    const { status, error } = this.endAs(asked, cause)
    for (const message of this.#messages) message.end(asked, error ?? undefined)
    const completedAt = Math.floor(this.#facts.now() / 1000)
    this.#final = this.#snapshot(status, {
      error,
      completed_at: Math.max(completedAt, this.#createdAt),
      output: Object.freeze([...this.#output]) as AgentMessage[],
      usage: usage === undefined ? null : frozenCopy(usage),
    })
    this.queue.send(this.#final)
  }

  endAs(asked: EndStatus, error: AgentError | undefined): ReturnType<MessageHost['endAs']> {
    if (asked === 'completed') return { status: asked, error: null }
    const known = asked === 'failed' || this.#facts.profile === 'standard'
    if (known) return { status: asked, error: error === undefined ? null : frozenCopy(error) }
    return { status: 'failed', error: error === undefined ? (REASONS[asked] ?? null) : frozenCopy(error) }
  }

  /** Copies the response as it is so far. */
  copy(): AgentResponse {
    return this.#final ?? this.#snapshot(this.#status ?? 'created', { output: [...this.#output] })
  }

  #say(status: AgentStatus): void {
    this.#status = status
    this.queue.send(this.#snapshot(status))
  }

  #snapshot(status: AgentStatus, fields: Partial<AgentResponse> = {}): AgentResponse {
    return Object.freeze({
      sequence_number: null,
      object: 'response' as const,
      status,
      error: null,
      id: this.#facts.id,
      created_at: this.#createdAt,
      completed_at: null,
      output: null,
      usage: null,
      session_id: this.#facts.sessionId,
      ...fields,
    })
  }
}
