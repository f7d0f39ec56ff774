import type { ModelEvent, ParleyError } from '@parley/core'

/**
 * How far an answer is: `open`, `settled` (the server said why it stopped; only extras such as usage may follow) or
 * `complete` (nothing follows that matters).
 */
export type AnswerProgress = 'open' | 'settled' | 'complete'

/** What a decoder is given for one attempt. */
export interface AnswerContext {
  /** Hands an event to the reader of the stream. */
  readonly emit: (event: ModelEvent) => void
  /** Parses JSON of the answer; throws `model-stream` when it is none. */
  readonly parse: (json: string) => unknown
  /** The error for a failure the server reported inside a successful answer, classified by its body. */
  readonly reported: (body: unknown) => ParleyError
  /** The `model-stream` error for an answer that is cut or cannot be read. */
  readonly broken: (detail: string) => ParleyError
}

/**
 * Turns the wire form of one answer into model events. This is what a provider writes; a fresh one serves each attempt.
 * Push-style: everything is emitted before a call returns. A throw ends the attempt.
 */
export interface AnswerDecoder {
  /** One server-sent event or one NDJSON line. */
  event(data: string, name: string): AnswerProgress
  /** The whole body, when it was one JSON document. */
  document(body: unknown): void
  /**
   * The body is over. Emits what was held back and the `finish`; throws `context.broken(…)` when the server never
   * said that it was finished, so that a cut answer is never taken for a short one.
   */
  end(): void
}
