export type { InputDecision } from '@parley/encoders'
export type { McpToolName } from '@parley/encoders/kit'
export type { ContentBuilder } from './builder/content-builder.ts'
export type { ContentBuilderOf } from './builder/content-builder.ts'
export type { ContentValue } from './protocol/content-value.ts'
export type {
  AgentClient,
  AgentClientOptions,
  AgentDecision,
  DecideOptions,
  ProcessOptions,
  RequestOptions,
  ResumeStreamOptions,
} from './client/agent-client.ts'
export { createAgentClient } from './client/create-agent-client.ts'
export type { AgentSession, AgentSessionHistory } from './schema/agent-session.ts'
export type { PendingApproval } from './schema/pending-approval.ts'
export {
  agentApiStream,
  createAgentEncoder,
  type AgentEncoder,
  type AgentEncoderOptions,
} from './encoder/create-agent-encoder.ts'
export { createEventDecoder, type EventDecoder, type EventDecoderOptions } from './stream/create-event-decoder.ts'
export { createEventLog, type EventLog, type EventLogOptions, type FrameStream } from './stream/create-event-log.ts'
export type { EventTraits } from './stream/log-window.ts'
export type { TextPiece } from './stream/delta-run.ts'
export { streamEndedEvent } from './stream/stream-ended-event.ts'
export { SSE_HEADERS, SSE_KEEP_ALIVE } from '@parley/encoders/kit'
export { encodeNdjson, encodeSse } from './stream/encode-sse.ts'
export { toResponse } from './stream/to-response.ts'
export { fileContent, type TypedValue } from './encoder/file-content.ts'
export { generateStreamingResponse, type StreamingResponseOptions } from './builder/response-builder.ts'
export { mergeData } from './protocol/merge-data.ts'
export type { ContentBuilderOptions, MessageBuilder } from './builder/message-builder.ts'
export type { MessageEnd } from './builder/message-draft.ts'
export {
  readAgentStream,
  type AgentStream,
  type AgentStreamSource,
  type ReadAgentStreamOptions,
  type StreamObserver,
} from './stream/read-agent-stream.ts'
export { ResponseBuilder, type MessageBuilderOptions, type ResponseBuilderOptions } from './builder/response-builder.ts'
export type { AgentProfile, ResponseEnd } from './builder/response-draft.ts'
export { responseText } from './stream/response-text.ts'
export type { RunInput } from './request/to-run-input.ts'
export type {
  AgentContent,
  AgentError,
  AgentEvent,
  AgentMessage,
  AgentRequest,
  AgentRequestInput,
  AgentResponse,
  AgentRole,
  AgentStatus,
  AgentTool,
  ContentEvent,
  ContentType,
  FunctionCall,
  FunctionCallOutput,
  InputContent,
  InputMessage,
  JsonObject,
  McpApprovalRequest,
  McpApprovalResponse,
  McpCall,
  McpListTools,
  MessageEvent,
  MessageType,
  ResponseEvent,
} from './schema/index.ts'
export { toAgentError, toHttpStatus } from './encoder/to-agent-error.ts'
export { toRunEvents } from './encoder/to-run-events.ts'
export { toRunInput } from './request/to-run-input.ts'
export type { SseStreamOptions } from '@parley/encoders/kit'
export { toSseStream, type CuttableSource } from './stream/to-sse-stream.ts'
export type { WireFault, WireFaultCode } from './stream/create-event-decoder.ts'
