export { agentSnapshotSchema, type AgentSnapshot } from './schema/agent-snapshot.ts'
export { jsonSchema, type Json } from './schema/json.ts'
export {
  assistantPartSchema,
  filePartSchema,
  opaquePartSchema,
  providerDataSchema,
  reasoningPartSchema,
  textPartSchema,
  toolCallPartSchema,
  toolResultPartSchema,
  userPartSchema,
  type AssistantPart,
  type FilePart,
  type OpaquePart,
  type ProviderData,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type UserPart,
} from './schema/content.ts'
export {
  assistantMessageSchema,
  finishReasonSchema,
  messageSchema,
  systemMessageSchema,
  toolMessageSchema,
  userMessageSchema,
  type AssistantMessage,
  type FinishReason,
  type Message,
  type SystemMessage,
  type ToolMessage,
  type UserMessage,
} from './schema/message.ts'
export {
  approvalDecisionSchema,
  approvalRequestSchema,
  principalSchema,
  type ApprovalDecision,
  type ApprovalRequest,
  type Principal,
} from './schema/approval.ts'
export {
  clientCallSchema,
  clientToolSchema,
  submissionSchema,
  type ClientCall,
  type ClientTool,
  type Submission,
} from './schema/client-call.ts'
export { costSchema, modelUsageSchema, usageSchema, type Cost, type ModelUsage, type Usage } from './schema/usage.ts'
export { errorInfoSchema, type ErrorCode, type ErrorInfo, type ValidationIssue } from './schema/error-info.ts'
export {
  cancelReasonSchema,
  limitHitSchema,
  limitNameSchema,
  outcomeSchema,
  type CancelReason,
  type LimitHit,
  type LimitName,
  type Outcome,
} from './schema/outcome.ts'
export { relationSchema, type Relation } from './schema/entry-schemas.ts'
export { entrySchema, type Entry, type EntryOf, type EntryType } from './schema/entry.ts'
export { contextEditSchema, type ContextEdit } from './schema/context-edit.ts'
export { viewPartSchema, type ViewPart } from './schema/view-part.ts'
export { parseEntries, parseEntry, parseRunCommand, type StoredEntries } from './schema/stored/parse-stored.ts'
export { runCommandSchema, type RunCommand } from './schema/run-command.ts'
