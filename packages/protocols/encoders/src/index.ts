export type { ClientError, RunEncoderOptions } from './chat/chat-encoder.ts'
export { collectRun, encodeRun } from './kit/encode-run.ts'
export type { InputDecision, InputResult, ProtocolInput } from './kit/protocol-input.ts'
export type { RunEncoder } from './kit/run-encoder.ts'
