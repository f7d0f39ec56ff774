import { callListener } from '../call-listener.ts'

/** The trace that a request belongs to, in the formats of W3C Trace Context and Baggage. */
export interface McpTraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}

/** Metadata that is sent with the parameters of a request. */
export interface RequestMeta {
  readonly _meta?: Record<string, string>
}

/** Creates the `_meta` of a request from the current trace context. Empty without a context. */
export function requestMeta(traceContext: (() => McpTraceContext | undefined) | undefined): RequestMeta {
  let context: McpTraceContext | undefined
  // A tracer that throws must not stop the request.
  callListener(() => (context = traceContext?.()))
  if (context === undefined) return {}
  const { traceparent, tracestate, baggage } = context
  const given = Object.entries({ traceparent, tracestate, baggage })
  return { _meta: Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined)) }
}
