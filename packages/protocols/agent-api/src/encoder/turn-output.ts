import type { AssistantMessage, ErrorInfo, FilePart } from '@parley/core'
import type { ContentBuilderOf } from '../builder/content-builder.ts'
import { fileContent } from './file-content.ts'
import type { MessageBuilder } from '../builder/message-builder.ts'
import type { MessageEnd } from '../builder/message-draft.ts'
import type { ResponseBuilder } from '../builder/response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import { toAgentError } from './to-agent-error.ts'
import type { CallFacts } from './tool-data.ts'
import type { ToolOutput } from './tool-output.ts'

type ProseKind = 'text' | 'reasoning'

interface Prose {
  readonly kind: ProseKind
  readonly message: MessageBuilder
  readonly part: ContentBuilderOf<'text'>
}

/**
 * Returns the text and reasoning of an answer in order. Adjacent pieces of one kind are joined, even across calls and
 * files.
 */
function proseOf(answer: AssistantMessage): { kind: ProseKind; text: string }[] {
  const runs: { kind: ProseKind; text: string }[] = []
  for (const part of answer.content) {
    if ((part.type !== 'text' && part.type !== 'reasoning') || part.text === '') continue
    const last = runs.at(-1)
    if (last?.kind === part.type) last.text += part.text
    else runs.push({ kind: part.type, text: part.text })
  }
  return runs
}

/**
 * Sends the answer of one model call: the deltas as they arrive, then the rest of the recorded answer. If there are no
 * deltas, the recorded answer alone produces the same messages.
 */
export class TurnOutput {
  readonly #response: ResponseBuilder
  readonly #tools: ToolOutput
  readonly #idPrefix: string
  readonly #prose: Prose[] = []

  constructor(response: ResponseBuilder, tools: ToolOutput, idPrefix: string) {
    this.#response = response
    this.#tools = tools
    this.#idPrefix = idPrefix
  }

  /** Sends a piece of text or reasoning. A change of the kind ends the previous message. */
  write(kind: ProseKind, text: string): readonly AgentEvent[] {
    const last = this.#prose.at(-1)
    if (text === '') return []
    if (last?.kind === kind) return last.part.addTextDelta(text)
    const ending = last === undefined ? [] : endOf(last)
    return [...ending, ...this.#begin(kind).part.addTextDelta(text)]
  }

  /** Announces a call that the model begins to write. */
  beginCall(call: Omit<CallFacts, 'arguments'>): readonly AgentEvent[] {
    return this.#tools.begin(call, this.#callMessageId(call.callId))
  }

  /** Sends the part of the recorded answer that was not sent yet, and ends its messages. */
  finish(answer: AssistantMessage, end: MessageEnd): readonly AgentEvent[] {
    const prose = proseOf(answer)
    const files = answer.content.filter(part => part.type === 'file')
    const calls = answer.content.filter(part => part.type === 'tool-call')
    const events: AgentEvent[] = []
    for (const [index, { kind, text }] of prose.entries()) {
      const sent = this.#prose[index]
      const isLast = index === prose.length - 1 && files.length + calls.length === 0
      const { message, part } = sent?.kind === kind ? sent : this.#begin(kind)
      events.push(...part.completeWith({ text }), ...message.complete(isLast ? end : {}))
    }
    // Sent as deltas, but not part of the recorded answer.
    for (const { message } of this.#prose) events.push(...message.incomplete())
    if (files.length > 0) events.push(...this.#files(files, calls.length === 0 ? end : {}))
    return [...events, ...this.#tools.called(calls, callId => this.#callMessageId(callId), end)]
  }

  /** Ends the messages of a failed model call with a status that shows they are incomplete. */
  breakOff(error: ErrorInfo): readonly AgentEvent[] {
    const written = this.#prose.flatMap(({ message }) => {
      if (error.code !== 'cancelled') return message.failed(toAgentError(error))
      return error.kind === 'limit' ? message.incomplete() : message.canceled()
    })
    return [...written, ...this.#tools.callsBrokeOff()]
  }

  /**
   * Returns the id of a call's message. The id contains the turn, because the id of a broken call may come again in a
   * later turn.
   */
  #callMessageId(callId: string): string {
    return `${this.#idPrefix}_${callId}`
  }

  #begin(kind: ProseKind): Prose {
    const id = `${this.#idPrefix}_prose_${this.#prose.length}`
    const message = this.#response.createMessageBuilder({ id, messageType: kind === 'text' ? 'message' : kind })
    const prose = { kind, message, part: message.createContentBuilder('text') }
    this.#prose.push(prose)
    return prose
  }

  #files(files: readonly FilePart[], end: MessageEnd): readonly AgentEvent[] {
    const message = this.#response.createMessageBuilder({ id: `${this.#idPrefix}_files` })
    const parts = files.flatMap(file => {
      const { type, value } = fileContent(file)
      return message.addContent(type, value)
    })
    return [...parts, ...message.complete(end)]
  }
}

function endOf({ part, message }: Prose): readonly AgentEvent[] {
  return [...part.complete(), ...message.complete()]
}
