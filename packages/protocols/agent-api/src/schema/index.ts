export {
  agentContentSchema,
  audioContentSchema,
  dataContentSchema,
  fileContentSchema,
  imageContentSchema,
  refusalContentSchema,
  textContentSchema,
  videoContentSchema,
  type AgentContent,
  type ContentType,
} from './agent-content.ts'
export { agentErrorSchema, type AgentError } from './event-fields.ts'
export {
  agentEventSchema,
  contentDeltaSchema,
  contentEndSchema,
  contentEventSchema,
  contentSnapshotSchema,
  messageEventSchema,
  responseEventSchema,
  type AgentEvent,
  type ContentEvent,
  type MessageEvent,
  type ResponseEvent,
} from './agent-event.ts'
export {
  agentMessageSchema,
  agentRoleSchema,
  messageTypeSchema,
  type AgentMessage,
  type AgentRole,
  type MessageType,
} from './agent-message.ts'
export {
  agentRequestSchema,
  agentToolSchema,
  inputContentSchema,
  inputMessageSchema,
  type AgentRequest,
  type AgentRequestInput,
  type AgentTool,
  type InputContent,
  type InputMessage,
} from './agent-request.ts'
export { agentResponseSchema, type AgentResponse } from './agent-response.ts'
export { agentStatusSchema, type AgentStatus } from './event-fields.ts'
export type { JsonObject } from './json-object.ts'
export { parseAgentRequest } from './agent-request.ts'
export {
  functionCallOutputSchema,
  functionCallSchema,
  mcpApprovalRequestSchema,
  mcpApprovalResponseSchema,
  mcpCallSchema,
  mcpListToolsSchema,
  toolPayloadSchemas,
  type FunctionCall,
  type FunctionCallOutput,
  type McpApprovalRequest,
  type McpApprovalResponse,
  type McpCall,
  type McpListTools,
} from './tool-payload.ts'
