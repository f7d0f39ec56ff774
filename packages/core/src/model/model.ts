import type { RetryPolicy } from '../async/retry-policy.ts'
import type { ModelEvent } from './model-event.ts'
import type { ModelInfo } from './model-info.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * A language model. It holds no conversation, so runs may share it and call it concurrently.
 * `describeModelContract` of `@parley/testing/contract` tests every promise made here.
 */
export interface Model {
  /** Name of the service: `openai`, `anthropic`, … Provider data is sent only to the provider that wrote it. */
  readonly provider: string
  /** Id of the model at its provider. */
  readonly id: string
  readonly info: ModelInfo
  /**
   * Whether the model reads the messages of a request only until its stream ends, and never changes the list. The engine then
   * passes its own list, which grows afterwards, instead of a copy for each turn. @default false
   */
  readonly borrowsMessages?: boolean | undefined
  /**
   * Makes one model call. The stream ends with exactly one `finish`, or throws. If the connection closes before the
   * answer is complete, the stream throws instead of finishing. If `signal` is aborted, before or during the call, the
   * stream throws `signal.reason`. When the reader leaves the stream early, the model closes its request.
   * @throws ParleyError with a `model-…` code.
   */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelEvent>
}

/** Options of one model call. */
export interface ModelCallOptions {
  /** Stops the call. @default the call is not stopped */
  readonly signal?: AbortSignal | undefined
  /** Replaces fields of the provider's retry policy. Providers without retries ignore it. @default the provider's policy */
  readonly retry?: RetryPolicy | undefined
}

/** Several models behind one connection. */
export interface ModelProvider {
  readonly name: string
  /** Returns the model with this id. The provider does not check that the id exists. */
  model(id: string): Model
}
