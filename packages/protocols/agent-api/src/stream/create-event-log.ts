import { pullItems } from '@parley/encoders/kit'
import { isEndStatus } from '../protocol/end-status.ts'
import { encodeSse } from './encode-sse.ts'
import { FrameWindow } from './frame-window.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

export interface EventLogOptions<TEvent = AgentEvent> {
  /** Characters of encoded events to keep; older ones are dropped. @default 8_000_000 */
  readonly maxChars?: number | undefined
  /** An event as the readers get it. @default encodeSse, for events of the Agent API */
  readonly encode?: ((event: TEvent) => string) | undefined
  /**
   * Waited for before a reader that has waited gets what came: what comes meanwhile goes out in the same piece.
   * @default readers get it at once
   */
  readonly gather?: (() => Promise<void>) | undefined
}

/** The events of one response, encoded once, for any number of readers who come, go and come again. */
export interface EventLog<TEvent = AgentEvent> {
  /** Adds events; their numbers follow each other. */
  push(events: readonly TEvent[]): void
  /** No more events. Without it, the terminal event of an Agent API stream is the end. */
  end(): void
  /**
   * The events after number `startingAfter`, byte for byte as they were first sent, then those to come. What is
   * there at once comes in one piece. Undefined when some of them were dropped, or when there never was such a number:
   * encode the journal instead, which is a stream of its own. A reader so slow that what it needs next is dropped has its
   * stream cut off, without a terminal event; it may come again. Nobody waits for it.
   * @param startingAfter @default -1, the whole stream
   */
  read(startingAfter?: number): AsyncIterableIterator<string, undefined> | undefined
  /** The number of the newest event; -1 before the first. */
  readonly newest: number
  readonly ended: boolean
}

/** A log in memory, bounded by `maxChars` (the newest event is always kept). */
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
  /** Wakes the readers that wait. */
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
