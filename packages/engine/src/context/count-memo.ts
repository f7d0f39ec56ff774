import type { Message, SystemMessage, SystemPart, TokenCounter, ToolSpec } from '@parley/core'

/** An agent's counter, which counts each message and each list of tools once. */
export class CountMemo {
  readonly #counter: TokenCounter
  readonly #instructions: string
  readonly #known = new WeakMap<Message, number>()
  readonly #fixed = new WeakMap<readonly ToolSpec[], SystemMessage>()

  constructor(counter: TokenCounter, system: readonly SystemPart[]) {
    this.#counter = counter
    this.#instructions = system.map(({ text }) => text).join('\n')
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

  /** At least as much as `sum`; undefined when only counting tells. */
  bound(messages: readonly Message[]): number | undefined {
    const counter = this.#counter
    if (counter.bound === undefined) return undefined
    let sum = 0
    for (const message of messages) sum += counter.bound(message)
    return sum
  }

  /** Instructions and tools, as one message to count. */
  fixed(tools: readonly ToolSpec[]): SystemMessage {
    let message = this.#fixed.get(tools)
    if (message === undefined) {
      const schemas = tools.length === 0 ? '' : JSON.stringify(tools)
      message = { role: 'system', content: this.#instructions + schemas }
      this.#fixed.set(tools, message)
    }
    return message
  }
}
