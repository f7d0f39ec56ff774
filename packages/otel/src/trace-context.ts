import { context, isSpanContextValid, propagation, trace } from '@opentelemetry/api'

/** Where what happens now belongs in a trace, in the forms of W3C Trace Context and Baggage. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}

/**
 * The active span as headers have it, for what a process tells another one beside HTTP: within a tool that is the tool
 * call's, so `openMcpServer(config, { traceContext })` lets a server's spans belong to the call that asked it. What is told
 * is what the registered propagator tells, and `traceparent` also without one. Undefined when nothing is traced.
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
