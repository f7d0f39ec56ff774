import type { RunEvent } from '@parley/core'
import { RunReader } from './run-reader.ts'
import type { RunStep } from './run-step.ts'

/** Turns the events of one run into the events of another protocol. */
export interface RunEncoder<TEvent> {
  /** Encodes the next event of the run. @returns The events to send to the client, in order. Empty after the end. */
  push(event: RunEvent): readonly TEvent[]
  /**
   * Ends the stream when the run has no more events. A stream that has not ended yet ends as failed, with `error` as the
   * reason.
   */
  end(error?: unknown): readonly TEvent[]
  /** Whether the terminal event was returned. */
  readonly ended: boolean
}

/**
 * Creates an encoder from a function that encodes one step of a run. @param now Returns milliseconds since the epoch,
 * for a stream that ends before the first event of its run.
 */
export function createRunEncoder<TEvent>(
  encode: (step: RunStep) => readonly TEvent[],
  now: () => number = () => Date.now(),
): RunEncoder<TEvent> {
  return new StepEncoder(encode, new RunReader(now))
}

class StepEncoder<TEvent> implements RunEncoder<TEvent> {
  readonly #encode: (step: RunStep) => readonly TEvent[]
  readonly #reader: RunReader

  constructor(encode: (step: RunStep) => readonly TEvent[], reader: RunReader) {
    this.#encode = encode
    this.#reader = reader
  }

  get ended(): boolean {
    return this.#reader.ended
  }

  push(event: RunEvent): readonly TEvent[] {
    return this.#encodeAll(this.#reader.push(event))
  }

  end(error?: unknown): readonly TEvent[] {
    return this.#encodeAll(this.#reader.end(error))
  }

  #encodeAll(steps: readonly RunStep[]): readonly TEvent[] {
    const [only] = steps
    return steps.length === 1 && only !== undefined ? this.#encode(only) : steps.flatMap(step => this.#encode(step))
  }
}
