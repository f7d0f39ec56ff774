import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrameStream } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { RunEncoder } from '@parley/encoders'
import { FrameReader, pullItems, type Frame } from '@parley/encoders/kit'
import { writeRun, type RunWriting } from './write-run.ts'

export interface StreamRunOptions<TEvent> {
  readonly run: AsyncIterable<RunEvent>
  readonly encoder: RunEncoder<TEvent>
  /** Turns an event into the frame that the reader receives. */
  readonly encode: (event: TEvent) => Frame
  /** Returns the event that tells a reader that its stream was cut. */
  readonly cutEvent: () => TEvent
  /** Frame that follows the last event. @default none */
  readonly last?: string | undefined
  /** Called once the reader was sent everything, or has left. @default none */
  readonly onRead?: (() => void) | undefined
}

/** Frames that may wait for the reader. Further events stay in the run's own feed, which keeps them in less memory. */
const WAITING_FRAMES = 64
/** Characters of these frames. */
const WAITING_CHARS = 64 * 1024

/** The frames of a run for one reader. */
export interface RunFrameStream extends FrameStream {
  /** Keeps nothing more for the reader. Its stream is cut, or fails if the reader has received a part of a large event. */
  release(): void
}

/**
 * Encodes a run as the frames of one reader's stream. Reading starts with the call. A slow reader does not slow the run, and
 * a reader that leaves does not stop it.
 */
export function streamRun<TEvent>(options: StreamRunOptions<TEvent>): RunFrameStream {
  const reader = new RunFrames(options)
  return Object.assign(
    pullItems(
      () => reader.pull(),
      () => reader.leave(),
    ),
    { cut: () => reader.cut(), release: () => reader.release() },
  )
}

/** The frames of one run for one reader. */
class RunFrames<TEvent> {
  /** Without the run: a reader that was released must not keep its answers in memory. */
  readonly #options: Omit<StreamRunOptions<TEvent>, 'run' | 'encoder'>
  /** `undefined` once nothing more is written. It refers to the run. */
  #writing: RunWriting | undefined
  readonly #frames = new FrameReader()
  #waiting: Frame[] = []
  #waitingChars = 0
  /** Wakes the reader. */
  #wake: (() => void) | undefined
  /** Lets the writer continue. */
  #resume: (() => void) | undefined
  #ended = false
  #isCut = false
  #isBroken = false

  constructor(options: StreamRunOptions<TEvent>) {
    const { run, encoder, ...rest } = options
    this.#options = rest
    this.#writing = writeRun(run, encoder, events => this.#take(events))
    void this.#writing.ended.then(() => {
      if (this.#ended) return
      if (rest.last !== undefined) this.#waiting.push(rest.last)
      this.#end()
    })
  }

  async pull(): Promise<readonly string[] | undefined> {
    for (;;) {
      if (this.#waiting.length === 0 && !this.#frames.isWithinFrame && !this.#ended) {
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
        await nextTurn()
      }
      if (this.#isBroken) throw new Error('The stream was released within a large event.')
      const piece = this.#frames.piece(() => this.#waiting.shift())
      if (this.#waiting.length === 0) {
        this.#waitingChars = 0
        this.#letWrite()
      }
      if (piece !== '') return [piece]
      if (!this.#ended) continue
      this.#options.onRead?.()
      return undefined
    }
  }

  cut(): void {
    const { encode, cutEvent, last } = this.#options
    const isSent = this.#waiting.length <= (last === undefined ? 0 : 1)
    if (this.#isCut || (this.#ended && isSent)) return
    this.#isCut = true
    this.#writing?.leave()
    this.#waiting = [encode(cutEvent())]
    if (last !== undefined) this.#waiting.push(last)
    this.#end()
  }

  release(): void {
    if (this.#frames.drop()) {
      this.#isBroken = true
      this.leave()
    } else this.cut()
  }

  leave(): void {
    this.#writing?.leave()
    this.#waiting = []
    this.#frames.drop()
    this.#options.onRead?.()
    this.#end()
  }

  #take(events: readonly TEvent[]): Promise<void> | undefined {
    if (this.#ended) return undefined
    for (const event of events) {
      const frame = this.#options.encode(event)
      this.#waiting.push(frame)
      // A large frame shares its text with the run.
      if (typeof frame === 'string') this.#waitingChars += frame.length
    }
    if (events.length > 0) this.#wakeReader()
    if (this.#waiting.length < WAITING_FRAMES && this.#waitingChars < WAITING_CHARS) return undefined
    return new Promise(resolve => {
      this.#resume = resolve
    })
  }

  #end(): void {
    this.#ended = true
    this.#writing = undefined
    this.#wakeReader()
    this.#letWrite()
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  #letWrite(): void {
    this.#resume?.()
    this.#resume = undefined
  }
}
