import { callListener } from '../call-listener.ts'

/** Where a request belongs in a trace, in the forms of W3C Trace Context and Baggage. */
export interface McpTraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}

/** What is told with a request besides its parameters. */
export interface RequestMeta {
  readonly _meta?: Record<string, string>
}

/** The `_meta` of a request that is made now; without a trace context there is none. */
export function requestMeta(traceContext: (() => McpTraceContext | undefined) | undefined): RequestMeta {
  let context: McpTraceContext | undefined
  // A tracer that fails is no reason not to ask.
  callListener(() => (context = traceContext?.()))
  if (context === undefined) return {}
  const { traceparent, tracestate, baggage } = context
  const given = Object.entries({ traceparent, tracestate, baggage })
  return { _meta: Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined)) }
}
