export { collectRun, encodeRun } from './encode-run.ts'
export type { ClientError, RunEncoder, RunEncoderOptions } from './run-encoder.ts'
export type { ProtocolInput } from './request/protocol-input.ts'
