import { createId, type Clock, type DeadLetter, type DeadLetterStore } from '@parley/core'
import type { Mail } from './deliver.ts'
import type { DeadLetters, RedriveQuery, RedriveReport } from './event-bus.ts'
import type { Failure, MailOffice, Subscriber } from './subscriber.ts'

export interface DeadLetterOfficeOptions {
  readonly store: DeadLetterStore
  readonly clock: Clock
  readonly maxDeadLetters: number
  readonly retentionMs: number
  /** Finds a current subscriber by name. */
  readonly find: (name: string) => Subscriber | undefined
}

/** Keeps undelivered events in the dead letter store. Letters that the store rejects stay in memory for the next attempt. */
export class DeadLetterOffice implements MailOffice, DeadLetters {
  readonly #options: DeadLetterOfficeOptions
  /** Ids of the letters that a redrive has put into a buffer. */
  readonly #redriven = new Set<string>()
  readonly #unstored: DeadLetter[] = []
  #storing: Promise<void> = Promise.resolve()

  constructor(options: DeadLetterOfficeOptions) {
    this.#options = options
  }

  delivered({ letterId }: Mail): Promise<void> | undefined {
    return letterId === undefined ? undefined : this.#forget(letterId)
  }

  discarded({ letterId }: Mail): void {
    if (letterId !== undefined) this.#redriven.delete(letterId)
  }

  async undelivered(
    subscriber: string,
    { event, agent, scope, letterId }: Mail,
    { reason, detail, attempts }: Failure,
  ): Promise<void> {
    const failedAt = this.#options.clock.now()
    const id = letterId ?? createId(failedAt)
    this.#redriven.delete(id)
    this.#unstored.push({ id, subscriber, event, agent, scope, reason, detail, attempts, failedAt })
    if (this.#unstored.length > this.#options.maxDeadLetters) this.#unstored.shift()
    // `flush` and `close` try again and report the store's error.
    await this.store().catch(() => {})
  }

  /** Writes every letter that the store does not have yet. */
  store(): Promise<void> {
    const storing = this.#storing.then(() => this.#storeNow())
    this.#storing = storing.catch(() => {})
    return storing
  }

  list: DeadLetters['list'] = query => this.#options.store.list(query)

  remove: DeadLetters['remove'] = id => this.#options.store.remove(id)

  redrive: DeadLetters['redrive'] = async ({ id, ...query }: RedriveQuery = {}): Promise<RedriveReport> => {
    const { store, find } = this.#options
    const one = id === undefined ? undefined : await store.get(id)
    const letters = id === undefined ? await store.list(query) : one === undefined ? [] : [one]
    let queued = 0
    for (const { id: letterId, subscriber: name, event, agent, scope, attempts } of letters) {
      const subscriber = find(name)
      if (subscriber === undefined || subscriber.full || this.#redriven.has(letterId)) continue
      this.#redriven.add(letterId)
      subscriber.push({ event, agent, scope, letterId, attempts })
      queued++
    }
    return { queued, left: letters.length - queued }
  }

  async #forget(letterId: string): Promise<void> {
    // If the store fails here, the letter stays and a later redrive delivers it once more.
    await this.#options.store.remove(letterId).catch(() => {})
    this.#redriven.delete(letterId)
  }

  async #storeNow(): Promise<void> {
    const { store, clock, retentionMs, maxDeadLetters } = this.#options
    if (this.#unstored.length === 0) return
    for (let letter = this.#unstored[0]; letter !== undefined; letter = this.#unstored[0]) {
      await store.put(letter)
      this.#unstored.shift()
    }
    await store.prune({ before: clock.now() - retentionMs, keep: maxDeadLetters })
  }
}
