import type { AssistantMessage, ErrorInfo, FilePart } from '@parley/core'
import type { ContentBuilderOf } from '../builder/content-builder.ts'
import { fileContent } from './file-content.ts'
import type { MessageBuilder, MessageEnd } from '../builder/message-builder.ts'
import type { ResponseBuilder } from '../builder/response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import { toAgentError } from './to-agent-error.ts'
import type { ToolOutput } from './tool-output.ts'

type ProseKind = 'text' | 'reasoning'

interface Prose {
  readonly kind: ProseKind
  readonly message: MessageBuilder
  readonly part: ContentBuilderOf<'text'>
}

/** The text and reasoning of an answer, in order, neighbours of one kind joined. Calls and files do not part them. */
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
 * One model call on the wire: what it writes as it writes it, then its answer as it was recorded. An answer nobody
 * watched being written gives the same messages, without the deltas.
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

  /** A piece of text or reasoning. The other kind ends the message before. */
  write(kind: ProseKind, text: string): readonly AgentEvent[] {
    const last = this.#prose.at(-1)
    if (text === '') return []
    if (last?.kind === kind) return last.part.addTextDelta(text)
    const ending = last === undefined ? [] : endOf(last)
    return [...ending, ...this.#begin(kind).part.addTextDelta(text)]
  }

  /** The model begins to write a call. */
  beginCall(callId: string, name: string): readonly AgentEvent[] {
    return this.#tools.begin(callId, name, this.#callMessageId(callId))
  }

  /** The answer is recorded: whatever of it was not yet sent follows, and all of it ends. */
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
    // Written, but no part of the recorded answer.
    for (const { message } of this.#prose) events.push(...message.incomplete())
    if (files.length > 0) events.push(...this.#files(files, calls.length === 0 ? end : {}))
    return [...events, ...this.#tools.called(calls, callId => this.#callMessageId(callId), end)]
  }

  /** The call failed: what was written stays, marked as cut off. */
  breakOff(error: ErrorInfo): readonly AgentEvent[] {
    const written = this.#prose.flatMap(({ message }) => {
      if (error.code !== 'cancelled') return message.failed(toAgentError(error))
      return error.kind === 'limit' ? message.incomplete() : message.canceled()
    })
    return [...written, ...this.#tools.callsBrokeOff()]
  }

  /** The id of a call's message. With the turn: an id whose writing broke off may come again in a later one. */
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
