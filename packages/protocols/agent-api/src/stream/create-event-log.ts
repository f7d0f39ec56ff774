import { isEndStatus } from '../protocol/end-status.ts'
import { encodeSse } from './encode-sse.ts'
import { pullEvents } from './pull-events.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

export interface EventLogOptions {
  /** Characters of encoded events to keep; older ones are dropped. @default 8_000_000 */
  readonly maxChars?: number | undefined
  /** An event as the readers get it. @default encodeSse */
  readonly encode?: ((event: AgentEvent) => string) | undefined
}

/** The events of one response, encoded once, for any number of readers who come, go and come again. */
export interface EventLog {
  /** Adds events; their numbers follow each other. */
  push(events: readonly AgentEvent[]): void
  /** No more events. Without it, the terminal event is the end. */
  end(): void
  /**
   * The events after number `startingAfter`, byte for byte as they were first sent, then those to come. What is
   * there at once comes in one piece. Undefined when some of them were dropped, or when there never was such a number:
   * encode the journal instead, which is a stream of its own. A reader so slow that what it needs next is dropped has its stream cut off, without a terminal event; it may come
   * again. Nobody waits for it.
   * @param startingAfter @default -1, the whole stream
   */
  read(startingAfter?: number): AsyncIterableIterator<string, undefined> | undefined
  /** The number of the newest event; -1 before the first. */
  readonly newest: number
  readonly ended: boolean
}

/** Events a reader takes at once: what it holds while it is slow. */
const BATCH = 64

/** A log in memory, bounded by `maxChars` (the newest event is always kept). */
export function createEventLog({ maxChars = 8_000_000, encode = encodeSse }: EventLogOptions = {}): EventLog {
  let frames: string[] = []
  /** The place in `frames` of the oldest one kept, and its number. */
  let head = 0
  let oldest = 0
  let chars = 0
  let ended = false
  let wake = Promise.withResolvers<void>()

  const newest = (): number => oldest + frames.length - head - 1

  function add(event: AgentEvent): void {
    const frame = encode(event)
    frames.push(frame)
    chars += frame.length
    while (chars > maxChars && frames.length - head > 1) {
      chars -= (frames[head] as string).length
      frames[head++] = ''
      oldest++
    }
    if (head > 1024 && head * 2 > frames.length) {
      frames = frames.slice(head)
      head = 0
    }
    if (event.object === 'response' && isEndStatus(event.status)) ended = true
  }

  function signal(): void {
    wake.resolve()
    wake = Promise.withResolvers()
  }

  return {
    push(events) {
      if (ended || events.length === 0) return
      for (const event of events) add(event)
      signal()
    },
    end() {
      ended = true
      signal()
    },
    read(startingAfter = -1) {
      if (startingAfter + 1 < oldest || startingAfter > newest() || startingAfter < -1) return undefined
      let next = startingAfter + 1
      let gone = false
      const mustWait = (): boolean => next > newest() && !ended && !gone
      const pull = async (): Promise<readonly string[] | undefined> => {
        while (mustWait()) await wake.promise
        if (next > newest() || next < oldest || gone) return undefined
        const from = head + next - oldest
        const batch = frames.slice(from, from + BATCH)
        next += batch.length
        return [batch.join('')]
      }
      return pullEvents(pull, () => {
        gone = true
        signal()
      })
    },
    get newest() {
      return newest()
    },
    get ended() {
      return ended
    },
  }
}
