export { applyToRecord } from './store/apply-to-record.ts'
export type { Artifact, ArtifactOwner, ArtifactStore } from './store/artifact-store.ts'
export { checkAppend, type JournalHead } from './store/check-append.ts'
export { checkRetryPolicy } from './async/check-retry-policy.ts'
export { checkSessionHead } from './store/check-session-head.ts'
export { createChannel, type Channel, type ChannelOptions } from './async/channel.ts'
export { backoffMs, type Backoff } from './async/backoff.ts'
export { checkCount, checkDuration, checkNumber, type NumberRule } from './errors/check-number.ts'
export { systemClock, type Clock } from './async/clock.ts'
export { compose, type Wrap } from './hooks/compose.ts'
export type { Compaction, CompactionRequest, ContextPolicy, ContextView, MessageGroup } from './hooks/context-policy.ts'
export { createId } from './create-id.ts'
export type { DeadLetter, DeadLetterQuery, DeadLetterStore } from './store/dead-letter-store.ts'
export { defineTool, type ToolDefinition } from './tool/define-tool.ts'
export type { ContextCut, ContextEditor, ContextStep } from './tool/context-editor.ts'
export type { AgentLike, Delegate, DelegateRequest, DelegateResult } from './tool/delegate.ts'
export { describeError } from './errors/describe-error.ts'
export { ENTRY_VERSION } from './schema/entry-version.ts'
export { isTerminalEntry } from './store/is-terminal-entry.ts'
export type { Limits } from './run/limits.ts'
export type { LiveBus } from './run/live-bus.ts'
export { messageText, toolCallsOf, userMessage } from './model/message-text.ts'
export type { NoteKey, Note, NotePut, NoteSearch, NoteStore, NoteUpdate } from './store/note-store.ts'
export type { InputFilter, InputFilterOptions, InputVerdict } from './hooks/input-filter.ts'
export {
  defineMiddleware,
  type Middleware,
  type MiddlewareStages,
  type ModelCall,
  type ToolCall,
  type Turn,
} from './hooks/middleware.ts'
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
} from './model/model.ts'
export type { ModelPricing, PriceTier, TokenPrices } from './model/model-pricing.ts'
export { ParleyError, toErrorInfo } from './errors/parley-error.ts'
export { WORD_PREFIX_LENGTH, rankByWords, type WordDocument, type WordQuery } from './search/rank-by-words.ts'
export {
  isEntryEvent,
  type EphemeralEvent,
  type EventEnvelope,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
} from './run/run-event.ts'
export type { RetryPolicy } from './async/retry-policy.ts'
export type { RunFacts } from './run/run-facts.ts'
export type { BusEvent, BusEventType, RuntimeEnd, RuntimeEvent } from './run/runtime-event.ts'
export type { InboxItem, PutRequest, RunInbox } from './store/run-inbox.ts'
export { searchWords } from './search/search-words.ts'
export {
  isStandardSchema,
  type InferSchema,
  type JsonSchemaObject,
  type Schema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './json-schema/standard-schema.ts'
export type {
  Claim,
  ClaimRequest,
  JournalAppend,
  PruneQuery,
  RunQuery,
  RunRecord,
  RunStatus,
  Store,
} from './store/store.ts'
export { settlesWithin } from './async/settles-within.ts'
export { toJsonSchema } from './json-schema/to-json-schema.ts'
export type { Permission, PermissionRule } from './tool/permission.ts'
export type { TokenCounter } from './model/token-counter.ts'
export type { Reconciliation, Tool, ToolContext, ToolEffect, ToolSource } from './tool/tool.ts'
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
} from './tool/tool-outcome.ts'
export type { WorkflowKey, WorkflowPut, WorkflowRecord, WorkflowStore } from './store/workflow-store.ts'
export { addCost, addUsage, cacheHitRate, costOf, totalTokens, ZERO_USAGE } from './model/usage.ts'
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
} from './schema.ts'
