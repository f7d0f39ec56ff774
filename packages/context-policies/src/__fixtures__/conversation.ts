import {
  messageText,
  userMessage,
  type CompactionRequest,
  type ContextPolicy,
  type ContextView,
  type Message,
  type MessageGroup,
  type ModelRequest,
} from '@parley/core'
import { scriptedModel } from '@parley/testing'

export interface ConversationOptions {
  /** Index of the first message of each run. @default [0] */
  readonly runStarts?: readonly number[] | undefined
}

/** Consecutive messages of the conversation, from index `from`. Messages that a policy wrote have no index. */
interface Stretch {
  readonly messages: readonly Message[]
  readonly from: number | undefined
}

/** A conversation that a policy compacts. Counts one token per character and applies compactions as the engine does. */
export class Conversation {
  /** The requests that the policy's summarizer made. The answer is always `The summary.` */
  readonly asked: ModelRequest[] = []
  readonly #log: Message[]
  readonly #runStarts: readonly number[]
  readonly #places = new WeakMap<MessageGroup, number>()
  #overlay: { readonly stretches: readonly Stretch[]; readonly end: number } | undefined

  constructor(messages: readonly Message[], { runStarts = [0] }: ConversationOptions = {}) {
    this.#log = [...messages]
    this.#runStarts = runStarts
  }

  say(...messages: readonly Message[]): void {
    this.#log.push(...messages)
  }

  /** Returns the messages that are sent to the model, one line each. */
  texts(): string[] {
    return this.#sent().map(message => `${message.role}: ${messageText(message)}`)
  }

  tokens(): number {
    return FIXED_TOKENS + countTokens(this.#sent())
  }

  isDue(policy: ContextPolicy): boolean {
    return policy.due(this.#view())
  }

  /** Returns whether the policy changed what is sent. */
  async compact(policy: ContextPolicy): Promise<boolean> {
    const view = this.#view()
    const request: CompactionRequest = {
      ...view,
      trigger: 'due',
      model: scriptedModel([]),
      signal: new AbortController().signal,
      ask: async question => {
        this.asked.push(question)
        return { role: 'assistant', content: [{ type: 'text', text: 'The summary.' }] }
      },
    }
    const compaction = await policy.compact(request)
    if (compaction === undefined) return false
    const before = JSON.stringify(this.#sent())
    const stretches = compaction.view.map(group => ({ messages: group.messages, from: this.#places.get(group) }))
    this.#overlay = { stretches, end: this.#log.length }
    return JSON.stringify(this.#sent()) !== before
  }

  #sent(): readonly Message[] {
    const { stretches, end } = this.#overlay ?? { stretches: [], end: 0 }
    return [...stretches.flatMap(({ messages }) => messages), ...this.#log.slice(end)]
  }

  #view(): ContextView {
    const { stretches, end } = this.#overlay ?? { stretches: [], end: 0 }
    return {
      length: this.#sent().length,
      groups: this.#group([...stretches, { messages: this.#log.slice(end), from: end }]),
      log: this.#group([{ messages: this.#log, from: 0 }]),
      fixedTokens: FIXED_TOKENS,
      window: undefined,
      budget: undefined,
      tokens: () => this.tokens(),
      exceeds: limit => this.tokens() > limit,
      count: countTokens,
    }
  }

  /** Joins each answer with the results of its calls. */
  #group(stretches: readonly Stretch[]): MessageGroup[] {
    const groups: MessageGroup[] = []
    for (const { messages, from } of stretches) {
      for (let index = 0; index < messages.length;) {
        let to = index + 1
        while (messages[to]?.role === 'tool') to++
        const place = from === undefined ? undefined : from + index
        const runsAgo = place === undefined ? 0 : this.#runStarts.filter(start => start > place).length
        const group = { messages: messages.slice(index, to), runsAgo }
        if (place !== undefined) this.#places.set(group, place)
        groups.push(group)
        index = to
      }
    }
    return groups
  }
}

const PER_MESSAGE = 4
const PER_CALL = 8
/** Tokens of empty instructions, which count as one message. There are no tools. */
const FIXED_TOKENS = PER_MESSAGE

export function countTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0)
}

function tokensOf(message: Message): number {
  if (message.role === 'system') return PER_MESSAGE + message.content.length
  let sum = message.role === 'tool' ? PER_MESSAGE + PER_CALL + message.name.length : PER_MESSAGE
  for (const part of message.content) {
    if (part.type === 'text') sum += part.text.length
    else if (part.type === 'tool-call') sum += PER_CALL + part.name.length + part.arguments.length
  }
  return sum
}

/** Creates a user message and its answer. */
export function exchange(question: string, answer: string): Message[] {
  return [userMessage(question), { role: 'assistant', content: [{ type: 'text', text: answer }] }]
}

/** Creates an answer that calls a tool, and the tool's result. */
export function toolTurn(callId: string, output: string): Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'look', arguments: '{}' }] },
    { role: 'tool', callId, name: 'look', content: [{ type: 'text', text: output }] },
  ]
}
