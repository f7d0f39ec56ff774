import { createChannel, type Channel, type EphemeralEvent, type RunEvent, type RunEventType } from '@parley/core'
import { AnswerTexts } from './answer-texts.ts'
import { mergeEvents } from './merge-events.ts'
import type { EntryEvent } from '../entry-writer.ts'

/** Receives each event as it happens. */
export interface RunListener {
  readonly name: string
  readonly event: (event: RunEvent) => void
}

/** Receives the events of all runs for the runtime. Never throws. */
export interface RunSink {
  /** Whether the sink receives pieces of answers or progress of tools. */
  streams(): boolean
  wants(type: RunEventType): boolean
  publish(event: RunEvent): void
}

/** Emits the event that reports a listener that threw an error. */
export interface RunFeedOwner {
  emit(event: Extract<EphemeralEvent, { type: 'middleware.failed' }>): void
}

export interface RunFeedOptions {
  /** The feed of the parent run. */
  readonly outer?: RunFeed | undefined
  readonly sink?: RunSink | undefined
}

/** Passes a run's events to readers, listeners and the runtime. */
export class RunFeed {
  readonly answers: AnswerTexts
  /** The listeners of the run's middleware. */
  listeners: readonly RunListener[] = []
  readonly #entries: EntryEvent[] = []
  #readers: readonly Channel<RunEvent>[] = []
  readonly #owner: RunFeedOwner
  readonly #outer: RunFeed | undefined
  readonly #sink: RunSink | undefined
  #ended = false

  /**
   * Readers of the `outer` feed see the events too. Its listeners and its sink do not: a middleware of both agents would
   * receive each event twice.
   */
  constructor(owner: RunFeedOwner, { outer, sink }: RunFeedOptions = {}) {
    this.#owner = owner
    this.#outer = outer
    this.#sink = sink
    this.answers = new AnswerTexts(outer?.answers)
  }

  /** Whether a piece of an answer would reach a reader, a listener or the runtime. */
  get watched(): boolean {
    return this.listeners.length > 0 || this.#isRead || this.#sink?.streams() === true
  }

  /** Whether an ephemeral event of this type would reach a reader, a listener or the runtime. */
  wants(type: RunEventType): boolean {
    return this.listeners.length > 0 || this.#isRead || this.#sink?.wants(type) === true
  }

  get #isRead(): boolean {
    return this.#readers.length > 0 || (this.#outer !== undefined && this.#outer.#isRead)
  }

  /** Calls `listener` with each event from now on. */
  listen(listener: RunListener): void {
    // V8 reserves spare slots for a spread (bench: tricks feed-listeners).
    this.listeners = this.listeners.concat([listener])
  }

  /** Shows an entry of the journal, also to later readers. */
  publish(entry: EntryEvent): void {
    this.#keep(entry)
    this.show(entry)
  }

  /** Shows an event to current readers. */
  show(event: RunEvent): void {
    this.#push(event)
    for (const listener of this.listeners) this.#tell(listener, event)
    this.#sink?.publish(event)
  }

  #keep(entry: EntryEvent): void {
    this.#entries.push(entry)
    if (this.#outer !== undefined) this.#outer.#keep(entry)
  }

  #push(event: RunEvent): void {
    for (const reader of this.#readers) reader.push(event)
    if (this.#outer !== undefined) this.#outer.#push(event)
  }

  /** Returns a new reader, which receives the entries so far, the text of the answer that is being written, and then all live events. */
  read(): AsyncIterator<RunEvent, undefined> {
    const merge = (last: RunEvent, next: RunEvent) => mergeEvents(last, next, runId => this.answers.get(runId))
    const leave = (): void => {
      this.#readers = this.#readers.filter(reader => reader !== channel)
    }
    const channel: Channel<RunEvent> = createChannel<RunEvent>({ merge, onLeave: leave })
    for (const event of this.#entries) channel.push(event)
    for (const event of this.answers.writing?.events() ?? []) channel.push(event)
    if (this.#ended) channel.end()
    // V8 reserves spare slots for a spread (bench: tricks feed-readers).
    else this.#readers = this.#readers.concat([channel])
    return channel[Symbol.asyncIterator]()
  }

  end(): void {
    this.#ended = true
    for (const reader of this.#readers) reader.end()
    this.#readers = []
    this.answers.clear()
  }

  #tell(listener: RunListener, event: RunEvent): void {
    try {
      listener.event(event)
    } catch (error) {
      // A listener that throws on `middleware.failed` would otherwise cause the next one.
      if (event.type === 'middleware.failed') return
      const detail = error instanceof Error ? error.message : String(error)
      this.#owner.emit({ type: 'middleware.failed', middleware: listener.name, detail })
    }
  }
}
