import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { AgentSnapshot } from './agent-snapshot.ts'
import type * as snapshot from './agent-snapshot.ts'
import type { ApprovalDecision, ApprovalRequest, Principal } from './approval.ts'
import type * as approval from './approval.ts'
import type { ClientCall, ClientTool, Submission } from './client-call.ts'
import type * as call from './client-call.ts'
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
} from './content.ts'
import type * as content from './content.ts'
import type { ContextEdit } from './context-edit.ts'
import type * as edit from './context-edit.ts'
import type { Entry, Relation } from './entry.ts'
import type * as entry from './entry-schema.ts'
import type { ErrorInfo, ValidationIssue } from './error-info.ts'
import type * as error from './error-info-schema.ts'
import type { AssistantMessage, FinishReason, Message, SystemMessage, ToolMessage, UserMessage } from './message.ts'
import type * as message from './message.ts'
import type { CancelReason, LimitHit, LimitName, Outcome } from './outcome.ts'
import type * as outcome from './outcome.ts'
import type { RunCommand } from './run-command.ts'
import type * as command from './run-command.ts'
import type { Cost, ModelUsage, Usage } from './usage.ts'
import type * as usage from './usage.ts'
import type { ContextSize, ViewPart } from './view-part.ts'
import type * as view from './view-part.ts'

it('the named types of parts are those that their schemas infer', () => {
  expectTypeOf<ProviderData>().toEqualTypeOf<z.infer<typeof content.providerDataSchema>>()
  expectTypeOf<TextPart>().toEqualTypeOf<z.infer<typeof content.textPartSchema>>()
  expectTypeOf<FilePart>().toEqualTypeOf<z.infer<typeof content.filePartSchema>>()
  expectTypeOf<ReasoningPart>().toEqualTypeOf<z.infer<typeof content.reasoningPartSchema>>()
  expectTypeOf<ToolCallPart>().toEqualTypeOf<z.infer<typeof content.toolCallPartSchema>>()
  expectTypeOf<OpaquePart>().toEqualTypeOf<z.infer<typeof content.opaquePartSchema>>()
  expectTypeOf<UserPart>().toEqualTypeOf<z.infer<typeof content.userPartSchema>>()
  expectTypeOf<AssistantPart>().toEqualTypeOf<z.infer<typeof content.assistantPartSchema>>()
  expectTypeOf<ToolResultPart>().toEqualTypeOf<z.infer<typeof content.toolResultPartSchema>>()
})

it('the named types of messages are those that their schemas infer', () => {
  expectTypeOf<SystemMessage>().toEqualTypeOf<z.infer<typeof message.systemMessageSchema>>()
  expectTypeOf<UserMessage>().toEqualTypeOf<z.infer<typeof message.userMessageSchema>>()
  expectTypeOf<AssistantMessage>().toEqualTypeOf<z.infer<typeof message.assistantMessageSchema>>()
  expectTypeOf<ToolMessage>().toEqualTypeOf<z.infer<typeof message.toolMessageSchema>>()
  expectTypeOf<Message>().toEqualTypeOf<z.infer<typeof message.messageSchema>>()
})

it('the named types of usage and cost are those that their schemas infer', () => {
  expectTypeOf<Usage>().toEqualTypeOf<z.infer<typeof usage.usageSchema>>()
  expectTypeOf<ModelUsage>().toEqualTypeOf<z.infer<typeof usage.modelUsageSchema>>()
  expectTypeOf<Cost>().toEqualTypeOf<z.infer<typeof usage.costSchema>>()
})

it('the named types of approvals and of calls of the client are those that their schemas infer', () => {
  expectTypeOf<Principal>().toEqualTypeOf<z.infer<typeof approval.principalSchema>>()
  expectTypeOf<ApprovalRequest>().toEqualTypeOf<z.infer<typeof approval.approvalRequestSchema>>()
  expectTypeOf<ClientCall>().toEqualTypeOf<z.infer<typeof call.clientCallSchema>>()
  expectTypeOf<ApprovalDecision>().toEqualTypeOf<z.infer<typeof approval.approvalDecisionSchema>>()
  expectTypeOf<Submission>().toEqualTypeOf<z.infer<typeof call.submissionSchema>>()
  expectTypeOf<RunCommand>().toEqualTypeOf<z.infer<typeof command.runCommandSchema>>()
  expectTypeOf<ClientTool>().toEqualTypeOf<z.infer<typeof call.clientToolSchema>>()
})

it('the named types of limits and of reasons are those that their schemas infer', () => {
  expectTypeOf<LimitHit>().toEqualTypeOf<z.infer<typeof outcome.limitHitSchema>>()
  expectTypeOf<CancelReason>().toEqualTypeOf<z.infer<typeof outcome.cancelReasonSchema>>()
  expectTypeOf<LimitName>().toEqualTypeOf<z.infer<typeof outcome.limitNameSchema>>()
  expectTypeOf<Outcome>().toEqualTypeOf<z.infer<typeof outcome.outcomeSchema>>()
  expectTypeOf<FinishReason>().toEqualTypeOf<z.infer<typeof message.finishReasonSchema>>()
})

it('the named types of entries and errors are those that their schemas infer', () => {
  expectTypeOf<Relation>().toEqualTypeOf<z.infer<typeof entry.relationSchema>>()
  expectTypeOf<ValidationIssue>().toEqualTypeOf<z.infer<typeof error.validationIssueSchema>>()
  expectTypeOf<ErrorInfo>().toEqualTypeOf<z.infer<typeof error.errorInfoSchema>>()
  expectTypeOf<AgentSnapshot>().toEqualTypeOf<z.infer<typeof snapshot.agentSnapshotSchema>>()
  expectTypeOf<ContextEdit>().toEqualTypeOf<z.infer<typeof edit.contextEditSchema>>()
  expectTypeOf<ViewPart>().toEqualTypeOf<z.infer<typeof view.viewPartSchema>>()
  expectTypeOf<ContextSize>().toEqualTypeOf<z.infer<typeof view.contextSizeSchema>>()
  expectTypeOf<Entry>().toEqualTypeOf<z.infer<typeof entry.entrySchema>>()
})
