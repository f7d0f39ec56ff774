import type { Message } from '@parley/core'

/**
 * An immutable list of messages that appends in constant time: successive versions are views over one
 * shared buffer, and only appending to a version that is no longer the newest copies it.
 */
export class Transcript {
  static readonly empty = new Transcript([], 0)

  readonly #buffer: Message[]
  readonly length: number

  private constructor(buffer: Message[], length: number) {
    this.#buffer = buffer
    this.length = length
  }

  static from(messages: readonly Message[]): Transcript {
    return messages.length === 0 ? Transcript.empty : new Transcript([...messages], messages.length)
  }

  get last(): Message | undefined {
    return this.#buffer[this.length - 1]
  }

  append(message: Message): Transcript {
    const newest = this.length > 0 && this.#buffer.length === this.length
    const buffer = newest ? this.#buffer : this.#buffer.slice(0, this.length)
    buffer.push(message)
    return new Transcript(buffer, this.length + 1)
  }

  /** A copy of the messages from one position up to, not including, another. */
  slice(from: number, to = this.length): Message[] {
    return this.#buffer.slice(from, Math.min(to, this.length))
  }

  /** A copy that later appends do not reach. */
  toArray(): Message[] {
    return this.#buffer.slice(0, this.length)
  }
}
