import { pullItems } from '@parley/encoders/kit'
import { isEndStatus } from '../protocol/end-status.ts'
import { encodeSse } from './encode-sse.ts'
import { FrameWindow } from './frame-window.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/** Options of `createEventLog`. */
export interface EventLogOptions<TEvent = AgentEvent> {
  /**
   * Largest number of characters of all encoded events. Beyond it, the oldest events are dropped. @default 8_000_000
   */
  readonly maxChars?: number | undefined
  /** Encodes an event for the readers. @default encodeSse, for events of the Agent API */
  readonly encode?: ((event: TEvent) => string) | undefined
  /**
   * Returns a promise that delays the delivery to a waiting reader until it resolves. Events that arrive before that
   * are sent in one piece.
   * @default no delay
   */
  readonly gather?: (() => Promise<void>) | undefined
}

/** The events of one response, encoded once, for any number of readers. Readers may disconnect and resume. */
export interface EventLog<TEvent = AgentEvent> {
  /** Adds events. Their numbers must be consecutive. */
  push(events: readonly TEvent[]): void
  /** Ends the log. The terminal event of an Agent API stream ends the log by itself. */
  end(): void
  /**
   * Reads the events after number `startingAfter`, byte for byte as they were first sent, and then the events that
   * follow. Available events come in one piece. Returns `undefined` if one of these events was dropped or the number is
   * unknown. Encode the journal as a new stream then. If a reader is so slow that its next event was dropped, its
   * stream ends without a terminal event, and the reader may resume. A slow reader does not slow the log.
   * @param startingAfter Number of the last event that the reader has. @default -1, for the whole stream
   */
  read(startingAfter?: number): AsyncIterableIterator<string, undefined> | undefined
  /** Number of the newest event. -1 before the first event. */
  readonly newest: number
  /** Whether no more events can be added. */
  readonly ended: boolean
}

/** Creates an event log in memory. It keeps at most `maxChars` characters, but always the newest event. */
export function createEventLog(options?: EventLogOptions): EventLog
export function createEventLog<TEvent>(
  options: EventLogOptions<TEvent> & { readonly encode: (event: TEvent) => string },
): EventLog<TEvent>
export function createEventLog<TEvent>({
  maxChars = 8_000_000,
  encode = event => encodeSse(event as AgentEvent),
  gather,
}: EventLogOptions<TEvent> = {}): EventLog<TEvent> {
  const frames = new FrameWindow(maxChars)
  let ended = false
  /** Wakes the waiting readers. */
  let wake: PromiseWithResolvers<void> | undefined

  function signal(): void {
    wake?.resolve()
    wake = undefined
  }

  function readFrom(first: number): AsyncIterableIterator<string, undefined> {
    let next = first
    let gone = false
    const mustWait = (): boolean => next > frames.newest && !ended && !gone
    const wait = async (): Promise<void> => {
      while (mustWait()) await (wake ??= Promise.withResolvers()).promise
      await gather?.()
    }
    const pull = async (): Promise<readonly string[] | undefined> => {
      if (mustWait()) await wait()
      if (next > frames.newest || next < frames.oldest || gone) return undefined
      const taken = frames.pieceFrom(next)
      next = taken.next
      return [taken.piece]
    }
    return pullItems(pull, () => {
      gone = true
      signal()
    })
  }

  return {
    push(events) {
      if (ended || events.length === 0) return
      for (const event of events) {
        frames.add(encode(event))
        if (isTerminal(event)) ended = true
      }
      signal()
    },
    end() {
      ended = true
      signal()
    },
    read(startingAfter = -1) {
      if (startingAfter + 1 < frames.oldest || startingAfter > frames.newest || startingAfter < -1) return undefined
      return readFrom(startingAfter + 1)
    },
    get newest() {
      return frames.newest
    },
    get ended() {
      return ended
    },
  }
}

function isTerminal(event: unknown): boolean {
  const { object, status = null } = event as Partial<AgentEvent>
  return object === 'response' && isEndStatus(status)
}
