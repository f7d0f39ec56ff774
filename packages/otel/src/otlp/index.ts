export { openOtlp, type Otlp, type OtlpOptions } from './open-otlp.ts'
