import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type { ApprovalRequest, Principal } from './approval.ts'
import type * as approval from './approval.ts'
import type { ClientCall, ClientTool } from './client-call.ts'
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
import type { AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage } from './message.ts'
import type * as message from './message.ts'
import type { CancelReason, LimitHit } from './outcome.ts'
import type * as outcome from './outcome.ts'
import type { Cost, Usage } from './usage.ts'
import type * as usage from './usage.ts'

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
  expectTypeOf<Cost>().toEqualTypeOf<z.infer<typeof usage.costSchema>>()
})

it('the named types of approvals and of calls of the client are those that their schemas infer', () => {
  expectTypeOf<Principal>().toEqualTypeOf<z.infer<typeof approval.principalSchema>>()
  expectTypeOf<ApprovalRequest>().toEqualTypeOf<z.infer<typeof approval.approvalRequestSchema>>()
  expectTypeOf<ClientCall>().toEqualTypeOf<z.infer<typeof call.clientCallSchema>>()
  expectTypeOf<ClientTool>().toEqualTypeOf<z.infer<typeof call.clientToolSchema>>()
})

it('the named types of limits and of reasons are those that their schemas infer', () => {
  expectTypeOf<LimitHit>().toEqualTypeOf<z.infer<typeof outcome.limitHitSchema>>()
  expectTypeOf<CancelReason>().toEqualTypeOf<z.infer<typeof outcome.cancelReasonSchema>>()
})
