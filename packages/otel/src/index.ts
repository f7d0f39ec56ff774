export { createOtel, type OtelOptions } from './create-otel.ts'
export { traceContext, type TraceContext } from './trace-context.ts'
