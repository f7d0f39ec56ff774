import type { Clock } from '@parley/core'
import { deliver, type FailedDelivery, type Mail } from './deliver.ts'
import type { EventHandler, SubscriberStats } from './event-bus.ts'
import type { EventSelection } from './event-selection.ts'
import type { RetryPlan } from './retry-plan.ts'

export interface SubscriberOptions {
  readonly name: string
  readonly selection: EventSelection
  readonly capacity: number
  readonly overflow: 'dead-letter' | 'drop-oldest'
  readonly retry: RetryPlan
  readonly timeoutMs: number
  readonly clock: Clock
  readonly office: MailOffice
}

/** Why the bus stopped trying to deliver an event. */
export interface Failure extends FailedDelivery {
  readonly attempts: number
}

/** Is told how each delivery ended. */
export interface MailOffice {
  /** Called when the handler has resolved. */
  delivered(mail: Mail): Promise<void> | undefined
  /** Called when the bus stops trying to deliver the event, for the reason in `failure`. */
  undelivered(subscriber: string, mail: Mail, failure: Failure): Promise<void>
  /** Called when the event is dropped before its delivery. */
  discarded(mail: Mail): void
}

/** The buffer of one subscriber. Delivers one event at a time, in order. */
export class Subscriber {
  readonly name: string
  readonly selection: EventSelection
  readonly #handler: EventHandler
  readonly #options: SubscriberOptions
  readonly #left = new AbortController()
  readonly #waiting: Mail[] = []
  #emptying: Promise<void> | undefined
  #delivering = false
  /** Whether undelivered events are dropped when the subscriber leaves. Otherwise they become dead letters. */
  #discards = false
  #counts = { delivered: 0, failed: 0, dropped: 0 }

  constructor(handler: EventHandler, options: SubscriberOptions) {
    this.name = options.name
    this.selection = options.selection
    this.#handler = handler
    this.#options = options
  }

  get stats(): SubscriberStats {
    return { name: this.name, backlog: this.#waiting.length + (this.#delivering ? 1 : 0), ...this.#counts }
  }

  get full(): boolean {
    return this.#waiting.length >= this.#options.capacity
  }

  push(mail: Mail): void {
    if (this.full && !isCritical(mail) && !this.#makeRoom(mail)) return
    this.#waiting.push(mail)
    this.#emptying ??= this.#empty()
  }

  /** Resolves when the buffer is empty. */
  async idle(): Promise<void> {
    await this.#emptying
  }

  /** Aborts the current delivery. Undelivered events become dead letters, or are dropped with `discard`. */
  async leave({ discard }: { readonly discard: boolean }): Promise<void> {
    this.#discards = discard
    this.#left.abort(new DOMException('The subscriber has left.', 'AbortError'))
    await this.#emptying
  }

  /** Applies `overflow` to a full buffer. Returns whether the new event may be added. */
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
    // Handlers must not run inside `publish`.
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
        const removal = office.delivered(mail)
        if (removal !== undefined) await removal
        return
      }
      this.#counts.failed++
      const over = attempt >= retry.maxAttempts || this.#left.signal.aborted
      if (over || !(await pauseUnless(this.#left.signal, retry.delayMs(attempt), clock))) {
        return this.#giveUp(mail, { ...failure, attempts: total })
      }
    }
  }

  async #giveUp(mail: Mail, failure: Failure): Promise<void> {
    const { office } = this.#options
    if (this.#discards) office.discarded(mail)
    else await office.undelivered(this.name, mail, failure)
  }
}

/** Waits `ms` milliseconds. Resolves at once with `false` when the signal is aborted. */
function pauseUnless(signal: AbortSignal, ms: number, clock: Clock): Promise<boolean> {
  return new Promise(resolve => {
    const onLeft = (): void => {
      callOff()
      resolve(false)
    }
    const callOff = clock.after(ms, () => {
      signal.removeEventListener('abort', onLeft)
      resolve(true)
    })
    signal.addEventListener('abort', onLeft, { once: true })
  })
}

function isCritical({ event }: Mail): boolean {
  return 'critical' in event
}
