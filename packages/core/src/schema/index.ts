export { jsonSchema, type Json } from './json.ts'
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
} from './content.ts'
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
} from './message.ts'
export {
  approvalDecisionSchema,
  approvalRequestSchema,
  principalSchema,
  type ApprovalDecision,
  type ApprovalRequest,
  type Principal,
} from './approval.ts'
export { costSchema, usageSchema, type Cost, type Usage } from './usage.ts'
export { errorInfoSchema, type ErrorCode, type ErrorInfo, type ValidationIssue } from './error-info.ts'
export {
  cancelReasonSchema,
  limitHitSchema,
  limitNameSchema,
  outcomeSchema,
  type CancelReason,
  type LimitHit,
  type LimitName,
  type Outcome,
} from './outcome.ts'
export { entrySchema, relationSchema, type Entry, type EntryOf, type EntryType, type Relation } from './entry.ts'
export { contextEditSchema, type ContextEdit } from './context-edit.ts'
export { viewPartSchema, type ViewPart } from './view-part.ts'
export { parseEntries, type StoredEntries } from './parse-entries.ts'
export { parseEntry } from './parse-entry.ts'
export { parseRunCommand } from './parse-run-command.ts'
export { runCommandSchema, type RunCommand } from './run-command.ts'
