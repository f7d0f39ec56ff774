import { context, isSpanContextValid, propagation, trace } from '@opentelemetry/api'

/** Headers of W3C Trace Context and Baggage. */
export interface TraceContext {
  /** Trace id, span id and flags. */
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}

/**
 * Returns the active span as headers, for connections without HTTP instrumentation. During a tool call the active span
 * is that of the call. For example, with `openMcpServer(config, { traceContext })` the spans of an MCP server belong to
 * the tool call. The registered propagator writes the headers. Without a propagator, the result contains only
 * `traceparent`.
 * @returns `undefined` without an active span.
 */
export function traceContext(): TraceContext | undefined {
  const active = context.active()
  const span = trace.getSpanContext(active)
  if (span === undefined || !isSpanContextValid(span)) return undefined
  const carrier: Record<string, string> = {}
  propagation.inject(active, carrier)
  const flags = span.traceFlags.toString(16).padStart(2, '0')
  const { traceparent = `00-${span.traceId}-${span.spanId}-${flags}`, tracestate, baggage } = carrier
  return {
    traceparent,
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(baggage === undefined ? {} : { baggage }),
  }
}
