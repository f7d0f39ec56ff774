import { checkOptions, type OptionKinds } from '@parley/core'
import { FrameReader, pullItems, type Frame } from '@parley/encoders/kit'
import { agentTraits, encodeFrame } from './agent-traits.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import { LogWindow, type EventTraits } from './log-window.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/** Options of `createEventLog`. */
export interface EventLogOptions<TEvent = AgentEvent> {
  /**
   * Number of characters above which the oldest events are dropped, but never an event that a reader still needs. An event
   * whose content the last event repeats does not count, and deltas count as their text. @default 8_000_000
   */
  readonly maxChars?: number | undefined
  /** Encodes an event for the readers. @default server-sent events of the Agent API */
  readonly encode?: ((event: TEvent) => Frame) | undefined
  /** Which events the log can keep in less memory. @default those of the Agent API; none if `encode` is set */
  readonly traits?: EventTraits<TEvent> | undefined
  /** Returns the frame that ends the stream of a reader that was cut. @default '' */
  readonly cutFrame?: ((lastNumber: number) => string) | undefined
  /**
   * Returns a promise that delays the delivery to a waiting reader until it resolves. Events that arrive before that
   * are sent in one piece.
   * @default no delay
   */
  readonly gather?: (() => Promise<void>) | undefined
}

/** The stream of one reader, as server-sent events. One item contains many events, or a part of a large one. */
export interface FrameStream extends AsyncIterableIterator<string, undefined> {
  /**
   * Stops keeping events for this reader. The stream ends after the event that the reader has begun to receive, with a
   * frame that says so.
   */
  cut(): void
}

/** The events of one response for any number of readers. Readers may disconnect and resume. */
export interface EventLog<TEvent = AgentEvent> {
  /** Adds events. Their numbers must be consecutive. */
  push(events: readonly TEvent[]): void
  /** Ends the log. The terminal event of an Agent API stream ends the log by itself. */
  end(): void
  /**
   * Reads the events after number `startingAfter`, byte for byte as they were first sent, and then the events that
   * follow. Returns `undefined` if one of these events was dropped or the number is unknown. Encode the journal as a
   * new stream then. A slow reader does not slow the log. The log keeps the events that it has not sent to a reader
   * until the reader leaves or is cut.
   * @param startingAfter Number of the last event that the reader has. @default -1, for the whole stream
   */
  read(startingAfter?: number): FrameStream | undefined
  /**
   * Drops every event. The stream of each reader ends as `FrameStream.cut` ends one. The stream of a reader that has received a part
   * of a large event fails there instead, so that the reader resumes after the event before.
   */
  release(): void
  /** Number of readers that were not sent everything yet, and were not cut. */
  readonly readers: number
  /** Number of the newest event. -1 before the first event. */
  readonly newest: number
  /** Number of characters that the log keeps, as `maxChars` counts them. */
  readonly chars: number
  /** Whether no more events can be added. */
  readonly ended: boolean
}

const OPTIONS: OptionKinds<EventLogOptions> = {
  maxChars: 'number',
  encode: 'function',
  traits: 'object',
  cutFrame: 'function',
  gather: 'function',
}

/** Creates an event log in memory. */
export function createEventLog(options?: EventLogOptions): EventLog
export function createEventLog<TEvent>(
  options: EventLogOptions<TEvent> & { readonly encode: (event: TEvent) => Frame },
): EventLog<TEvent>
export function createEventLog<TEvent>(options: EventLogOptions<TEvent> = {}): EventLog<TEvent> {
  checkOptions('createEventLog', options, OPTIONS)
  const {
    maxChars = 8_000_000,
    encode,
    traits = encode === undefined ? (agentTraits as unknown as EventTraits<TEvent>) : undefined,
    cutFrame = () => '',
    gather,
  } = options
  const encodeEvent = encode ?? (encodeFrame as unknown as (event: TEvent) => Frame)
  const window = new LogWindow({ encode: encodeEvent, traits, maxChars })
  return new WindowLog(window, { cutFrame, gather })
}

type ReaderOptions = Pick<ReadLog, 'cutFrame' | 'gather'>

class WindowLog<TEvent> implements EventLog<TEvent> {
  readonly #window: LogWindow<TEvent>
  readonly #options: ReaderOptions
  readonly #readers = new Set<LogReader>()
  #ended = false

  constructor(window: LogWindow<TEvent>, options: ReaderOptions) {
    this.#window = window
    this.#options = options
  }

  get readers(): number {
    return [...this.#readers].filter(({ isReading }) => isReading).length
  }

  get newest(): number {
    return this.#window.newest
  }

  get chars(): number {
    return this.#window.chars
  }

  get ended(): boolean {
    return this.#ended
  }

  push(events: readonly TEvent[]): void {
    if (this.#ended || events.length === 0) return
    for (const event of events) {
      this.#window.add(event)
      if (isTerminal(event)) this.#ended = true
    }
    this.#trim()
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  read(startingAfter = -1): FrameStream | undefined {
    const window = this.#window
    if (startingAfter + 1 < window.oldest || startingAfter > window.newest || startingAfter < -1) return undefined
    const log = { window, isEnded: () => this.#ended, ...this.#options }
    const reader = new LogReader(log, startingAfter + 1, () => {
      if (reader.hasLeft) this.#readers.delete(reader)
      this.#trim()
    })
    this.#readers.add(reader)
    return Object.assign(
      pullItems(
        () => reader.pull(),
        () => reader.leave(),
      ),
      { cut: () => reader.cut() },
    )
  }

  release(): void {
    for (const reader of this.#readers) reader.release()
    // What refers to a reader, such as the timer of its connection, refers to the log as well.
    this.#window.clear()
  }

  #trim(): void {
    let needed = this.#window.newest + 1
    for (const reader of this.#readers) if (reader.isReading) needed = Math.min(needed, reader.next)
    this.#window.trim(needed)
  }

  #wake(): void {
    for (const reader of this.#readers) reader.wake()
  }
}

interface ReadLog {
  readonly window: Pick<LogWindow<never>, 'newest' | 'frameAt'>
  readonly isEnded: () => boolean
  readonly cutFrame: (lastNumber: number) => string
  readonly gather: (() => Promise<void>) | undefined
}

/** One reader of a log. */
class LogReader {
  /** Number of the next event. */
  next: number
  readonly #log: ReadLog
  /** Called when the reader is cut, and when it leaves. */
  readonly #onLeave: () => void
  readonly #frames = new FrameReader()
  #wake: (() => void) | undefined
  #state: 'reading' | 'cut' | 'broken' | 'left' = 'reading'

  constructor(log: ReadLog, next: number, onLeave: () => void) {
    this.next = next
    this.#log = log
    this.#onLeave = onLeave
  }

  /** Whether the log must keep events for it. */
  get isReading(): boolean {
    return this.#state === 'reading'
  }

  get hasLeft(): boolean {
    return this.#state === 'left' || this.#state === 'broken'
  }

  async pull(): Promise<readonly string[] | undefined> {
    for (;;) {
      if (this.#mustWait) {
        await this.#wait()
        await this.#log.gather?.()
      }
      if (this.#state === 'broken') throw new Error('The stream was released within a large event.')
      if (this.#state === 'left') return undefined
      const piece = this.#frames.piece(() => this.#take())
      if (this.#state === 'cut' && !this.#frames.isWithinFrame) {
        this.leave()
        return [piece + this.#log.cutFrame(this.next - 1)]
      }
      if (piece !== '') return [piece]
      if (!this.#mustWait) {
        this.leave()
        return undefined
      }
    }
  }

  async #wait(): Promise<void> {
    while (this.#mustWait) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  wake(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  cut(): void {
    // A stream that was sent to its end must not end a second time.
    if (this.#state !== 'reading' || (this.#log.isEnded() && this.next > this.#log.window.newest)) return
    this.#state = 'cut'
    this.#onLeave()
    this.wake()
  }

  /** Keeps nothing more for the reader, not even the rest of the event that it has begun. */
  release(): void {
    if (!this.#frames.drop()) {
      this.cut()
      return
    }
    this.#state = 'broken'
    this.#onLeave()
  }

  leave(): void {
    if (this.hasLeft) return
    this.#state = 'left'
    this.#frames.drop()
    this.#onLeave()
    this.wake()
  }

  get #mustWait(): boolean {
    return (
      this.#state === 'reading' &&
      this.next > this.#log.window.newest &&
      !this.#frames.isWithinFrame &&
      !this.#log.isEnded()
    )
  }

  #take(): Frame | undefined {
    if (this.#state === 'cut' || this.next > this.#log.window.newest) return undefined
    return this.#log.window.frameAt(this.next++)
  }
}

function isTerminal(event: unknown): boolean {
  const { object, status = null } = event as Partial<AgentEvent>
  return object === 'response' && isEndStatus(status)
}
