import type { ErrorInfo, ModelEvent, ModelInfo, ModelRequest } from '@parley/core'
import type { MaskSettings } from './masking/mask-settings.ts'

/** Calls of models, as a cassette file holds them. Secrets and personal data are removed. */
export interface Cassette {
  /** What was removed. A request is masked in the same way before it is compared. */
  readonly masks: MaskSettings
  readonly models: readonly RecordedModel[]
  /** The calls in the order in which they began. */
  readonly calls: readonly RecordedCall[]
}

/** A model whose calls were recorded. */
export interface RecordedModel {
  readonly provider: string
  readonly id: string
  readonly info: ModelInfo
}

/** One call of a model. */
export interface RecordedCall {
  /** Number of the call, from 1, in the order in which the calls began. */
  readonly call: number
  /** The model, as `provider/id`. */
  readonly model: string
  readonly request: RecordedRequest
  /** The events with their times, in milliseconds from the start of the call. */
  readonly events: readonly TimedEvent[]
  /** Milliseconds from the start of the call to its end. */
  readonly ms: number
  /**
   * How the call ended: the stream finished, its reader stopped it, or it threw this error.
   */
  readonly end: 'finished' | 'stopped' | { readonly error: ErrorInfo }
}

/** An event of an answer, and the milliseconds from the start of the call to it. */
export type TimedEvent = readonly [ms: number, event: ModelEvent]

/**
 * A recorded request. A cassette made from a journal that keeps no requests has only the messages; an absent field was not recorded
 * and is not compared.
 */
export type RecordedRequest = Pick<ModelRequest, 'messages'> & Partial<ModelRequest>
