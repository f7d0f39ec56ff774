/** Where a request belongs in a trace, in the forms of W3C Trace Context and Baggage. */
export interface McpTraceContext {
  readonly traceparent: string
  readonly tracestate?: string | undefined
  readonly baggage?: string | undefined
}
