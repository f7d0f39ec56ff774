import type { BusEvent, BusEventType, Clock } from '@parley/core'
import { deliver, type FailedDelivery, type Mail } from './deliver.ts'
import type { EventFilter, EventHandler, EventOrigin, SubscriberStats } from './event-bus.ts'
import { STREAM_PIECES } from './stream-pieces.ts'
import type { RetryPlan } from './retry-plan.ts'

export interface SubscriberOptions {
  readonly name: string
  readonly filter: EventFilter
  readonly capacity: number
  readonly overflow: 'dead-letter' | 'drop-oldest'
  readonly retry: RetryPlan
  readonly timeoutMs: number
  readonly clock: Clock
  readonly office: MailOffice
}

export interface GivenUp extends FailedDelivery {
  readonly attempts: number
}

/** Where a subscriber's mail goes in the end. */
export interface MailOffice {
  /** It was taken. */
  taken(mail: Mail): Promise<void> | undefined
  /** It was not, and will not be tried again. */
  undelivered(subscriber: string, mail: Mail, failure: GivenUp): Promise<void>
  /** It was thrown away on its way. */
  discarded(mail: Mail): void
}

const PIECES: ReadonlySet<BusEventType> = new Set(STREAM_PIECES)

/** One subscriber's buffer, emptied one event at a time, in order. */
export class Subscriber {
  readonly name: string
  readonly #handler: EventHandler
  readonly #options: SubscriberOptions
  readonly #left = new AbortController()
  readonly #waiting: Mail[] = []
  #emptying: Promise<void> | undefined
  #delivering = false
  /** Whether what is left is thrown away. */
  #discards = false
  #counts = { delivered: 0, failed: 0, dropped: 0 }

  constructor(handler: EventHandler, options: SubscriberOptions) {
    this.name = options.name
    this.#handler = handler
    this.#options = options
  }

  get stats(): SubscriberStats {
    return { name: this.name, backlog: this.#waiting.length + (this.#delivering ? 1 : 0), ...this.#counts }
  }

  get full(): boolean {
    return this.#waiting.length >= this.#options.capacity
  }

  /** Whether events of this type may concern it. */
  wants(type: BusEventType): boolean {
    const { types } = this.#options.filter
    return types === undefined ? !PIECES.has(type) : types.includes(type)
  }

  matches(event: BusEvent, origin: EventOrigin): boolean {
    const { agent, scope, sessionId, runId } = this.#options.filter
    if (!('runId' in event)) {
      return this.wants(event.type) && (agent ?? scope ?? sessionId ?? runId) === undefined
    }
    return (
      this.wants(event.type) &&
      (agent === undefined || agent === origin.agent) &&
      (scope === undefined || scope === origin.scope) &&
      (sessionId === undefined || sessionId === event.sessionId) &&
      (runId === undefined || runId === event.runId)
    )
  }

  push(mail: Mail): void {
    if (this.full && !isCritical(mail) && !this.#makeRoom(mail)) return
    this.#waiting.push(mail)
    this.#emptying ??= this.#empty()
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#emptying
  }

  /** Breaks off what is under way. What was not delivered goes to the office, or is thrown away. */
  async leave({ discard }: { readonly discard: boolean }): Promise<void> {
    this.#discards = discard
    this.#left.abort(new DOMException('The subscriber has left.', 'AbortError'))
    await this.#emptying
  }

  /** @returns Whether the new mail may come in. */
  #makeRoom(mail: Mail): boolean {
    const { capacity, overflow, office } = this.#options
    if (overflow === 'dead-letter') {
      const detail = `${capacity} events were waiting`
      void this.#giveUp(mail, { reason: 'overflow', detail, attempts: mail.attempts })
      return false
    }
    const index = this.#waiting.findIndex(waiting => !isCritical(waiting))
    const oldest = index < 0 ? undefined : this.#waiting.splice(index, 1)[0]
    if (oldest === undefined) return true
    office.discarded(oldest)
    this.#counts.dropped++
    return true
  }

  async #empty(): Promise<void> {
    // The publisher goes on first: nothing a handler does happens within `publish`.
    await Promise.resolve()
    for (let mail = this.#waiting.shift(); mail !== undefined; mail = this.#waiting.shift()) {
      this.#delivering = true
      await this.#deliver(mail)
      this.#delivering = false
    }
    this.#emptying = undefined
  }

  async #deliver(mail: Mail): Promise<void> {
    const { clock, retry, timeoutMs, office } = this.#options
    for (let attempt = 1; ; attempt++) {
      const total = mail.attempts + attempt
      if (this.#left.signal.aborted) return this.#giveUp(mail, { reason: 'closed', detail: '', attempts: total - 1 })
      const failure = await deliver(this.#handler, mail, { attempt: total, clock, timeoutMs, left: this.#left.signal })
      if (failure === undefined) {
        this.#counts.delivered++
        const noting = office.taken(mail)
        if (noting !== undefined) await noting
        return
      }
      this.#counts.failed++
      const over = attempt >= retry.maxAttempts || this.#left.signal.aborted
      if (over || !(await this.#pause(retry.delayMs(attempt)))) {
        return this.#giveUp(mail, { ...failure, attempts: total })
      }
    }
  }

  /** @returns Whether the time passed without the subscriber leaving. */
  #pause(ms: number): Promise<boolean> {
    const { signal } = this.#left
    return new Promise(resolve => {
      const onLeft = (): void => {
        callOff()
        resolve(false)
      }
      const callOff = this.#options.clock.after(ms, () => {
        signal.removeEventListener('abort', onLeft)
        resolve(true)
      })
      signal.addEventListener('abort', onLeft, { once: true })
    })
  }

  async #giveUp(mail: Mail, failure: GivenUp): Promise<void> {
    const { office } = this.#options
    if (this.#discards) office.discarded(mail)
    else await office.undelivered(this.name, mail, failure)
  }
}

function isCritical({ event }: Mail): boolean {
  return 'critical' in event
}
