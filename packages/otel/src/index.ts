export { createOtel, type OtelOptions } from './create-otel.ts'
