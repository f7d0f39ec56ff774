import type { Context, Tracer } from '@opentelemetry/api'
import type { Instruments } from './instruments.ts'

/** The values that the stages of one middleware share. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly instruments: Instruments
  /** Whether spans contain instructions, messages, arguments and results. */
  readonly content: boolean
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /** Contexts of running tool calls, by run id and call id. The span of a child run has its tool call's context as parent. */
  readonly toolContexts: Map<string, Context>
}
