export { applyToRecord } from './apply-to-record.ts'
export type { ApprovalHandler, ApprovalHandlerOptions } from './approval-handler.ts'
export type { Artifact, ArtifactOwner, ArtifactStore } from './artifact-store.ts'
export { checkAppend, type JournalHead } from './check-append.ts'
export { checkRetryPolicy } from './check-retry-policy.ts'
export { checkSessionHead } from './check-session-head.ts'
export { createChannel, type Channel, type ChannelOptions } from './channel.ts'
export { backoffMs, type Backoff } from './backoff.ts'
export { checkCount, checkDuration, checkNumber, type NumberRule } from './check-number.ts'
export { systemClock, type Clock } from './clock.ts'
export { compose, type Wrap } from './compose.ts'
export type { Compaction, CompactionRequest, ContextPolicy, ContextView, MessageGroup } from './context-policy.ts'
export { cutText } from './cut-text.ts'
export { createId } from './create-id.ts'
export { createMemoryDeadLetters } from './create-memory-dead-letters.ts'
export type { DeadLetter, DeadLetterQuery, DeadLetterStore } from './dead-letter-store.ts'
export { defineTool, type ToolDefinition } from './define-tool.ts'
export type { ContextCut, ContextEditor, ContextStep } from './context-editor.ts'
export type { AgentLike, Delegate, DelegateRequest, DelegateResult } from './delegate.ts'
export { describeError } from './describe-error.ts'
export { ENTRY_VERSION } from './entry-version.ts'
export type { EventOrigin, EventSink, EventSinkStats } from './event-sink.ts'
export { isLastWord } from './is-last-word.ts'
export type { Limits } from './limits.ts'
export type { LiveBus } from './live-bus.ts'
export { messageText, toolCallsOf, userMessage } from './message-text.ts'
export type { MemoryKey, MemoryNote, MemoryPut, MemorySearch, MemoryStore, MemoryUpdate } from './memory-store.ts'
export type { InputFilter, InputFilterOptions, InputVerdict } from './input-filter.ts'
export {
  defineMiddleware,
  type Middleware,
  type MiddlewareStages,
  type ModelCall,
  type ToolCall,
  type Turn,
} from './middleware.ts'
export type {
  CacheSetting,
  Model,
  ModelCallOptions,
  ModelEvent,
  ModelInfo,
  ModelFallback,
  ModelProvider,
  ModelRequest,
  ModelSettings,
  OutputFormat,
  SystemPart,
  ThinkingSetting,
  ToolSpec,
} from './model.ts'
export type { ModelPricing, PriceTier, TokenPrices } from './model-pricing.ts'
export { ParleyError, toErrorInfo } from './parley-error.ts'
export { WORD_PREFIX_LENGTH, rankByWords, type WordDocument, type WordQuery } from './rank-by-words.ts'
export {
  isEntryEvent,
  type EphemeralEvent,
  type EventEnvelope,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
} from './run-event.ts'
export type { RetryPolicy } from './retry-policy.ts'
export type { RunFacts } from './run-facts.ts'
export type { BusEvent, BusEventType, RuntimeEnd, RuntimeEvent } from './runtime-event.ts'
export type { InboxItem, PutRequest, RunInbox } from './run-inbox.ts'
export { searchWords } from './search-words.ts'
export {
  isStandardSchema,
  type InferSchema,
  type JsonSchemaObject,
  type Schema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard-schema.ts'
export type { Claim, ClaimRequest, JournalAppend, PruneQuery, RunQuery, RunRecord, RunStatus, Store } from './store.ts'
export { settlesWithin } from './settles-within.ts'
export { STREAM_PIECES } from './stream-pieces.ts'
export { toJsonSchema } from './to-json-schema.ts'
export type { Permission, PermissionRule } from './permission.ts'
export type { TokenCounter } from './token-counter.ts'
export type { Reconciliation, Tool, ToolContext, ToolEffect, ToolSource } from './tool.ts'
export {
  isToolOutcome,
  toolAnswer,
  toolAsk,
  toolError,
  toolHandoff,
  toolOk,
  type ToolAnswer,
  type ToolAsk,
  type ToolAskOptions,
  type ToolErrorOptions,
  type ToolFailure,
  type ToolHandoff,
  type ToolHandoffOptions,
  type ToolOk,
  type ToolOutcome,
} from './tool-outcome.ts'
export type { WorkflowKey, WorkflowPut, WorkflowRecord, WorkflowStore } from './workflow-store.ts'
export { addCost, addUsage, cacheHitRate, costOf, totalTokens, ZERO_USAGE } from './usage.ts'
export type {
  ApprovalDecision,
  ApprovalRequest,
  AssistantMessage,
  AssistantPart,
  CancelReason,
  ContextEdit,
  Cost,
  Entry,
  EntryOf,
  EntryType,
  ErrorCode,
  ErrorInfo,
  FilePart,
  FinishReason,
  Json,
  LimitHit,
  LimitName,
  Message,
  OpaquePart,
  Outcome,
  Principal,
  ProviderData,
  ReasoningPart,
  Relation,
  RunCommand,
  SystemMessage,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  Usage,
  UserMessage,
  UserPart,
  ValidationIssue,
  ViewPart,
} from './schema/index.ts'
