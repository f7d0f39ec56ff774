import type { Message, SystemMessage, SystemPart, TokenCounter, ToolSpec } from '@parley/core'

/** Counts each message and each list of tools once. */
export class CountMemo {
  readonly #counter: TokenCounter
  /** Returns an upper bound of a message's tokens without counting. `undefined` if the counter has none. */
  readonly bound: ((message: Message) => number) | undefined
  /** Counts of messages, because a message stays in the context for many turns (bench: tricks count-memo). */
  readonly #known = new WeakMap<Message, number>()
  /** Counts of instructions and tools, because the runs of an agent share them (bench: tricks fixed-memo). */
  readonly #fixed = new WeakMap<readonly ToolSpec[], Fixed>()

  constructor(counter: TokenCounter) {
    this.#counter = counter
    this.bound = counter.bound === undefined ? undefined : message => counter.bound?.(message) ?? Infinity
  }

  sum(messages: readonly Message[]): number {
    let sum = 0
    for (const message of messages) {
      let tokens = this.#known.get(message)
      if (tokens === undefined) {
        tokens = this.#counter.count(message)
        this.#known.set(message, tokens)
      }
      sum += tokens
    }
    return sum
  }

  /** Returns the instructions and the tools as one message, for counting. */
  fixed(system: readonly SystemPart[], tools: readonly ToolSpec[]): SystemMessage {
    const known = this.#fixed.get(tools)
    if (known?.system === system) return known.message
    const schemas = tools.length === 0 ? '' : JSON.stringify(tools)
    const message = { role: 'system' as const, content: system.map(({ text }) => text).join('\n') + schemas }
    this.#fixed.set(tools, { system, message })
    return message
  }
}

interface Fixed {
  readonly system: readonly SystemPart[]
  readonly message: SystemMessage
}
