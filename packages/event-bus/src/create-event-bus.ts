import {
  checkOptions,
  ParleyError,
  createMemoryDeadLetters,
  checkCount,
  checkDuration,
  systemClock,
  type BusEvent,
  type BusEventType,
  type Clock,
  type DeadLetterStore,
  type EventOrigin,
  type OptionKinds,
  type RetryPolicy,
} from '@parley/core'
import { DeadLetterOffice } from './dead-letter-office.ts'
import type { EventBus, EventHandler, SubscribeOptions, Subscription } from './event-bus.ts'
import { createRetryPlan, type RetryPlan } from './retry-plan.ts'
import { EventSelection } from './event-selection.ts'
import { Subscriber } from './subscriber.ts'

export interface EventBusOptions {
  /** Largest number of events in one subscriber's buffer. @default 10_000 */
  readonly capacity?: number | undefined
  /**
   * When a failed delivery is repeated; after the last attempt the event becomes a dead letter. Handlers request no waits, so it has
   * no `maxWaitMs`. @default 4 retries, after 1_000 ms and at most 30_000 ms, without jitter
   */
  readonly retry?: Omit<RetryPolicy, 'maxWaitMs'> | undefined
  /** Milliseconds after which an attempt is aborted and counts as failed. @default 30_000 */
  readonly timeoutMs?: number | undefined
  /**
   * Store for dead letters. Pass `store.deadLetters` of a durable store so that the letters outlive the process.
   * @default a store in memory
   */
  readonly deadLetters?: DeadLetterStore | undefined
  /** Largest number of dead letters that are kept. The oldest are removed first. @default 10_000 */
  readonly maxDeadLetters?: number | undefined
  /**
   * Age in milliseconds from which a dead letter is removed, when the next letter is stored.
   * @default 7 days (604_800_000)
   */
  readonly retentionMs?: number | undefined
  /** Clock that measures delays and deadlines. @default the system clock */
  readonly clock?: Clock | undefined
}

const OPTIONS: OptionKinds<EventBusOptions> = {
  capacity: 'number',
  retry: 'object',
  timeoutMs: 'number',
  deadLetters: 'object',
  maxDeadLetters: 'number',
  retentionMs: 'number',
  clock: 'clock',
}

/**
 * Creates an event bus for the runtime option `bus`.
 * @throws ParleyError `config-invalid` if an option is invalid; the error names it.
 */
export function createEventBus(options: EventBusOptions = {}): EventBus {
  checkOptions('createEventBus', options, OPTIONS)
  const {
    capacity = 10_000,
    retry: policy = {},
    timeoutMs = 30_000,
    deadLetters: store = createMemoryDeadLetters(),
    maxDeadLetters = 10_000,
    retentionMs = 7 * 24 * 3_600_000,
    clock = systemClock,
  } = options
  checkCount({ capacity, maxDeadLetters }, 'bus')
  checkDuration({ timeoutMs, retentionMs }, 'bus')
  const retry = createRetryPlan(policy)
  return new Bus({ capacity, retry, timeoutMs, clock, store, maxDeadLetters, retentionMs })
}

const NO_RUN: EventOrigin = { agent: '', scope: '' }

interface BusSettings {
  readonly capacity: number
  readonly retry: RetryPlan
  readonly timeoutMs: number
  readonly clock: Clock
  readonly store: DeadLetterStore
  readonly maxDeadLetters: number
  readonly retentionMs: number
}

class Bus implements EventBus {
  readonly deadLetters: DeadLetterOffice
  readonly #settings: BusSettings
  #subscribers: readonly Subscriber[] = []
  /**
   * Results of `wants` by event type. They are cached because a run asks for every piece of every answer. Cleared when
   * the subscribers change.
   */
  readonly #wanted = new Map<BusEventType, boolean>()
  #closing: Promise<void> | undefined

  constructor(settings: BusSettings) {
    this.#settings = settings
    const find = (name: string): Subscriber | undefined => this.#subscribers.find(known => known.name === name)
    this.deadLetters = new DeadLetterOffice({ ...settings, find })
  }

  subscribe(handler: EventHandler, options: SubscribeOptions): Subscription {
    const { name, filter = {}, overflow = 'dead-letter' } = options
    const path = `bus.subscribers.${name}`
    const { capacity = this.#settings.capacity } = options
    checkCount({ capacity }, path)
    if (typeof name !== 'string' || name === '') refuse('bus.subscribers', 'requires a name for each subscriber')
    if (typeof handler !== 'function') refuse(path, 'requires a handler function')
    if (overflow !== 'dead-letter' && overflow !== 'drop-oldest')
      refuse(`${path}.overflow`, `is '${String(overflow)}'; must be 'dead-letter' or 'drop-oldest'`)
    if (this.#closing !== undefined) refuse('bus', 'is closed')
    if (this.#subscribers.some(known => known.name === name)) refuse(path, 'is already the name of a subscriber')
    const { retry, timeoutMs, clock } = this.#settings
    const office = this.deadLetters
    const selection = new EventSelection(filter)
    const subscriber = new Subscriber(handler, { name, selection, capacity, overflow, retry, timeoutMs, clock, office })
    this.#change([...this.#subscribers, subscriber])
    return { name, unsubscribe: () => this.#drop(subscriber) }
  }

  publish(event: BusEvent, { agent, scope }: EventOrigin = NO_RUN): void {
    if (this.#closing !== undefined) return
    for (const subscriber of this.#subscribers) {
      if (!subscriber.selection.matches(event, { agent, scope })) continue
      subscriber.push({ event, agent, scope, letterId: undefined, attempts: 0 })
    }
  }

  wants(type: BusEventType): boolean {
    let wanted = this.#wanted.get(type)
    if (wanted === undefined) {
      wanted = this.#subscribers.some(({ selection }) => selection.wants(type))
      this.#wanted.set(type, wanted)
    }
    return wanted
  }

  async stats(): ReturnType<EventBus['stats']> {
    const deadLetters = await this.#settings.store.count()
    return { subscribers: this.#subscribers.map(({ stats }) => stats), deadLetters }
  }

  async flush({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const idle = Promise.all(this.#subscribers.map(subscriber => subscriber.idle()))
    await (signal === undefined ? idle : Promise.race([idle, aborted(signal)]))
    await this.deadLetters.store()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const leaving = this.#subscribers
    await Promise.all(leaving.map(subscriber => subscriber.leave({ discard: false })))
    this.#change([])
    await this.deadLetters.store()
  }

  #drop(subscriber: Subscriber): void {
    this.#change(this.#subscribers.filter(known => known !== subscriber))
    void subscriber.leave({ discard: true })
  }

  #change(subscribers: readonly Subscriber[]): void {
    this.#subscribers = subscribers
    this.#wanted.clear()
  }
}

/** Returns a promise that rejects with the signal's reason and never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function refuse(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
