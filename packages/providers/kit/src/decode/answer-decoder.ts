import type { ModelEvent, ParleyError } from '@parley/core'

/**
 * Progress of an answer. `settled`: the server has sent the reason why the model stopped, and only extras such as usage may
 * follow. `complete`: the rest of the body is irrelevant.
 */
export type AnswerProgress = 'open' | 'settled' | 'complete'

/** The functions that a decoder uses during one attempt. */
export interface AnswerContext {
  /** Emits an event to the reader of the stream. */
  readonly emit: (event: ModelEvent) => void
  /** Parses JSON text of the answer. Throws `model-stream` if it is invalid. */
  readonly parse: (json: string) => unknown
  /** Creates the error for a failure that the server reports inside a successful response, classified by its body. */
  readonly reported: (body: unknown) => ParleyError
  /** Creates the `model-stream` error for an answer that is incomplete or unreadable. */
  readonly broken: (detail: string) => ParleyError
}

/**
 * Turns the wire form of one answer into model events. Every provider implements one; each attempt gets a new decoder.
 * A method emits its events before it returns. If a method throws, the attempt fails.
 */
export interface AnswerDecoder {
  /** Reads one server-sent event or one NDJSON line. @param name Name of the event; `''` if it has none. */
  event(data: string, name: string): AnswerProgress
  /** Reads the whole body, if it is one JSON document. */
  document(body: unknown): void
  /**
   * Called at the end of the body. Emits everything still held back, then `finish`. Throws `context.broken(…)` if the server
   * never stated that the answer is finished, so that an incomplete answer does not pass as a short one.
   */
  end(): void
}
