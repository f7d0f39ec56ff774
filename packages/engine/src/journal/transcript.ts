import { messageSize, type Message } from '@parley/core'

/**
 * An immutable list of messages. Successive versions are views of one shared buffer, so that an append takes constant time
 * (bench: tricks shared-transcript). Only an append to a version that is not the newest copies the buffer.
 */
export class Transcript {
  static readonly empty = new Transcript([], { length: 0, size: 0, own: undefined })

  readonly #buffer: readonly Message[]
  /** The buffer as a list to append to. `undefined` if the list belongs to a caller and must not change. */
  readonly #own: Message[] | undefined
  readonly length: number
  /** `undefined` until it is needed. */
  #size: number | undefined

  private constructor(buffer: readonly Message[], { length, size, own }: Version) {
    this.#buffer = buffer
    this.length = length
    this.#size = size
    this.#own = own
  }

  /** A view of the messages. The list is not copied and must not change. @param size Sum of their sizes, if it is known. */
  static from(messages: readonly Message[], size?: number): Transcript {
    const { length } = messages
    return length === 0 ? Transcript.empty : new Transcript(messages, { length, size, own: undefined })
  }

  get last(): Message | undefined {
    return this.#buffer[this.length - 1]
  }

  /** Sum of the sizes of all messages: `messageSize`. */
  get size(): number {
    return (this.#size ??= this.sum(0, messageSize))
  }

  append(message: Message): Transcript {
    const length = this.length + 1
    const size = this.#size === undefined ? undefined : this.#size + messageSize(message)
    const own = this.#own
    if (own !== undefined && own.length === this.length) {
      own.push(message)
      return new Transcript(own, { length, size, own })
    }
    const before = this.#buffer.length === this.length ? this.#buffer : this.toArray()
    const copy = [...before, message]
    return new Transcript(copy, { length, size, own: copy })
  }

  /** Returns a copy of the messages from position `from` up to, not including, `to`. */
  slice(from: number, to = this.length): Message[] {
    return this.#buffer.slice(from, Math.min(to, this.length))
  }

  /** Adds up a number of each message from a position on. */
  sum(from: number, of: (message: Message) => number): number {
    const buffer = this.#buffer
    const { length } = this
    let sum = 0
    for (let index = from; index < length; index++) sum += of(buffer[index] as Message)
    return sum
  }

  /** Returns the messages without a copy where possible. The list must not be changed, and later appends may add to it. */
  borrow(): readonly Message[] {
    return this.#buffer.length === this.length ? this.#buffer : this.toArray()
  }

  /** Returns a copy of the messages, which later appends do not change. */
  toArray(): Message[] {
    return this.#buffer.slice(0, this.length)
  }
}

interface Version {
  readonly length: number
  readonly size: number | undefined
  readonly own: Message[] | undefined
}
