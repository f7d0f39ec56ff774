import type { DataSchema } from './schema/data-schema.ts'
import * as agentSnapshot from './schema/agent-snapshot.ts'
import type { AgentSnapshot } from './schema/agent-snapshot.ts'
import * as json from './schema/json.ts'
import type { Json } from './schema/json.ts'
import * as content from './schema/content.ts'
import type {
  AssistantPart,
  FilePart,
  OpaquePart,
  ProviderData,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from './schema/content.ts'
import * as message from './schema/message.ts'
import type {
  AssistantMessage,
  FinishReason,
  Message,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from './schema/message.ts'
import * as approval from './schema/approval.ts'
import type { ApprovalDecision, ApprovalRequest, Principal } from './schema/approval.ts'
import * as clientCall from './schema/client-call.ts'
import type { ClientCall, ClientTool, Submission } from './schema/client-call.ts'
import * as usage from './schema/usage.ts'
import type { Cost, ModelUsage, Usage } from './schema/usage.ts'
import * as errorInfo from './schema/error-info-schema.ts'
import type { ErrorInfo } from './schema/error-info.ts'
import * as outcome from './schema/outcome.ts'
import type { CancelReason, LimitHit, LimitName, Outcome } from './schema/outcome.ts'
import * as entry from './schema/entry-schema.ts'
import type { Entry, Relation } from './schema/entry.ts'
import * as contextEdit from './schema/context-edit.ts'
import type { ContextEdit } from './schema/context-edit.ts'
import * as viewPart from './schema/view-part.ts'
import type { ViewPart } from './schema/view-part.ts'
import * as runCommand from './schema/run-command.ts'
import type { RunCommand } from './schema/run-command.ts'

export type { DataSchema } from './schema/data-schema.ts'
export type { AgentSnapshot } from './schema/agent-snapshot.ts'
export type { Json } from './schema/json.ts'
export type {
  AssistantPart,
  FilePart,
  OpaquePart,
  ProviderData,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from './schema/content.ts'
export type {
  AssistantMessage,
  FinishReason,
  Message,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from './schema/message.ts'
export type { ApprovalDecision, ApprovalRequest, Principal } from './schema/approval.ts'
export type { ClientCall, ClientTool, Submission } from './schema/client-call.ts'
export type { Cost, ModelUsage, Usage } from './schema/usage.ts'
export type { ErrorCode, ErrorInfo, ValidationIssue } from './schema/error-info.ts'
export type { CancelReason, LimitHit, LimitName, Outcome } from './schema/outcome.ts'
export type { Entry, EntryOf, EntryType, Relation } from './schema/entry.ts'
export type { ContextEdit } from './schema/context-edit.ts'
export type { ViewPart } from './schema/view-part.ts'
export type { RunCommand } from './schema/run-command.ts'
export { parseEntries, parseEntry, parseRunCommand, type StoredEntries } from './schema/stored/parse-stored.ts'

// The annotations keep zod, whose code is bundled, out of the declarations: users need not install it.
/** Schema of `AgentSnapshot`. */
export const agentSnapshotSchema: DataSchema<AgentSnapshot> = agentSnapshot.agentSnapshotSchema
/** Schema of `Json`. */
export const jsonSchema: DataSchema<Json> = json.jsonSchema
/** Schema of `AssistantPart`. */
export const assistantPartSchema: DataSchema<AssistantPart> = content.assistantPartSchema
/** Schema of `FilePart`. */
export const filePartSchema: DataSchema<FilePart> = content.filePartSchema
/** Schema of `OpaquePart`. */
export const opaquePartSchema: DataSchema<OpaquePart> = content.opaquePartSchema
/** Schema of `ProviderData`. */
export const providerDataSchema: DataSchema<ProviderData> = content.providerDataSchema
/** Schema of `ReasoningPart`. */
export const reasoningPartSchema: DataSchema<ReasoningPart> = content.reasoningPartSchema
/** Schema of `TextPart`. */
export const textPartSchema: DataSchema<TextPart> = content.textPartSchema
/** Schema of `ToolCallPart`. */
export const toolCallPartSchema: DataSchema<ToolCallPart> = content.toolCallPartSchema
/** Schema of `ToolResultPart`. */
export const toolResultPartSchema: DataSchema<ToolResultPart> = content.toolResultPartSchema
/** Schema of `UserPart`. */
export const userPartSchema: DataSchema<UserPart> = content.userPartSchema
/** Schema of `AssistantMessage`. */
export const assistantMessageSchema: DataSchema<AssistantMessage> = message.assistantMessageSchema
/** Schema of `FinishReason`. */
export const finishReasonSchema: DataSchema<FinishReason> = message.finishReasonSchema
/** Schema of `Message`. */
export const messageSchema: DataSchema<Message> = message.messageSchema
/** Schema of `SystemMessage`. */
export const systemMessageSchema: DataSchema<SystemMessage> = message.systemMessageSchema
/** Schema of `ToolMessage`. */
export const toolMessageSchema: DataSchema<ToolMessage> = message.toolMessageSchema
/** Schema of `UserMessage`. */
export const userMessageSchema: DataSchema<UserMessage> = message.userMessageSchema
/** Schema of `ApprovalDecision`. */
export const approvalDecisionSchema: DataSchema<ApprovalDecision> = approval.approvalDecisionSchema
/** Schema of `ApprovalRequest`. */
export const approvalRequestSchema: DataSchema<ApprovalRequest> = approval.approvalRequestSchema
/** Schema of `Principal`. */
export const principalSchema: DataSchema<Principal> = approval.principalSchema
/** Schema of `ClientCall`. */
export const clientCallSchema: DataSchema<ClientCall> = clientCall.clientCallSchema
/** Schema of `ClientTool`. */
export const clientToolSchema: DataSchema<ClientTool> = clientCall.clientToolSchema
/** Schema of `Submission`. */
export const submissionSchema: DataSchema<Submission> = clientCall.submissionSchema
/** Schema of `Cost`. */
export const costSchema: DataSchema<Cost> = usage.costSchema
/** Schema of `ModelUsage`. */
export const modelUsageSchema: DataSchema<ModelUsage> = usage.modelUsageSchema
/** Schema of `Usage`. */
export const usageSchema: DataSchema<Usage> = usage.usageSchema
/** Schema of `ErrorInfo`. */
export const errorInfoSchema: DataSchema<ErrorInfo> = errorInfo.errorInfoSchema
/** Schema of `CancelReason`. */
export const cancelReasonSchema: DataSchema<CancelReason> = outcome.cancelReasonSchema
/** Schema of `LimitHit`. */
export const limitHitSchema: DataSchema<LimitHit> = outcome.limitHitSchema
/** Schema of `LimitName`. */
export const limitNameSchema: DataSchema<LimitName> = outcome.limitNameSchema
/** Schema of `Outcome`. */
export const outcomeSchema: DataSchema<Outcome> = outcome.outcomeSchema
/** Schema of `Entry`. */
export const entrySchema: DataSchema<Entry> = entry.entrySchema
/** Schema of `Relation`. */
export const relationSchema: DataSchema<Relation> = entry.relationSchema
/** Schema of `ContextEdit`. */
export const contextEditSchema: DataSchema<ContextEdit> = contextEdit.contextEditSchema
/** Schema of `ViewPart`. */
export const viewPartSchema: DataSchema<ViewPart> = viewPart.viewPartSchema
/** Schema of `RunCommand`. */
export const runCommandSchema: DataSchema<RunCommand> = runCommand.runCommandSchema
