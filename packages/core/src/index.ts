import { requireNode } from './require-node.ts'

requireNode(globalThis)

export { backoffMs, type Backoff } from './async/backoff.ts'
export { createChannel, type Channel, type ChannelOptions } from './async/channel.ts'
export { checkRetryPolicy } from './async/check-retry-policy.ts'
export { monotonicNow, createSteadyClock, systemClock, type Clock } from './async/clock.ts'
export { readLimitedText, type LimitedText } from './async/read-limited-text.ts'
export { retryAfterOf } from './async/retry-after.ts'
export type { RetryPolicy } from './async/retry-policy.ts'
export { Semaphore, type SemaphoreStop } from './async/semaphore.ts'
export { settlesWithin } from './async/settles-within.ts'
export { stoppable, type StoppableSource } from './async/stoppable.ts'
export { untilAborted } from './async/until-aborted.ts'
export { SETTLE_MS, untilOverdue } from './async/until-overdue.ts'
export { createId } from './create-id.ts'
export { TurnoverMap } from './turnover-map.ts'
export { checkCount, checkDuration, checkNumber, type NumberRule } from './errors/check-number.ts'
export { describeError } from './errors/describe-error.ts'
export { describeIncomplete } from './errors/describe-incomplete.ts'
export { describePublicly, publicWords } from './errors/describe-publicly.ts'
export { errorStack } from './errors/error-stack.ts'
export { ParleyError, toErrorInfo } from './errors/parley-error.ts'
export { waitsFor } from './errors/waits-for.ts'
export { refuseOption } from './errors/refuse-option.ts'
export { GrowingText } from './growing-text.ts'
export { checkOptions } from './options/check-options.ts'
export { foundWords } from './options/found-words.ts'
export { hintOf, nearestName } from './options/nearest-name.ts'
export type { OptionKind, OptionKinds, OptionTable } from './options/option-kind.ts'
export { canonicalJson } from './json-text/canonical-json.ts'
export { compose, type Wrap } from './hooks/compose.ts'
export type { Compaction, CompactionRequest, ContextPolicy, UnsatisfiedBound } from './hooks/context-policy.ts'
export type { ContextView, MessageGroup } from './hooks/context-view.ts'
export type { ApprovalHandler, ApprovalHandlerOptions } from './hooks/approval-handler.ts'
export type { InputFilter, InputFilterOptions, InputVerdict } from './hooks/input-filter.ts'
export { defineMiddleware, type Middleware, type MiddlewareStages } from './hooks/middleware.ts'
export type { ModelCall, ToolCall, Turn, TurnTrigger } from './hooks/stage-calls.ts'
export {
  isStandardSchema,
  type InferSchema,
  type JsonSchemaObject,
  type Schema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './json-schema/standard-schema.ts'
export { toJsonSchema } from './json-schema/to-json-schema.ts'
export { messageText, toolCallsOf, userMessage } from './model/message-text.ts'
export type { ModelEvent, ModelFallback } from './model/model-event.ts'
export type { ModelInfo } from './model/model-info.ts'
export type { ModelPricing, PriceTier, TokenPrices } from './model/model-pricing.ts'
export type { ModelRequest, SystemPart, ToolSpec } from './model/model-request.ts'
export type { CacheSetting, ModelSettings, OutputFormat, ThinkingSetting, ToolChoice } from './model/model-settings.ts'
export type { Model, ModelCallOptions, ModelProvider } from './model/model.ts'
export { PartialJson } from './model/partial-json.ts'
export { messageSize, sumTexts } from './model/sum-texts.ts'
export type { TokenCounter } from './model/token-counter.ts'
export { addCost, addUsage, cacheHitRate, costOf, totalTokens, ZERO_USAGE } from './model/usage.ts'
export { cutText } from './model/cut-text.ts'
export { BUS_EVENT_TYPES } from './run/bus-event-types.ts'
export type { EphemeralEvent } from './run/ephemeral-event.ts'
export type { EventOrigin, EventSink, EventSinkStats } from './run/event-sink.ts'
export { STREAM_PIECES } from './run/stream-pieces.ts'
export type { Limits } from './run/limits.ts'
export type { LiveBus } from './run/live-bus.ts'
export { isEntryEvent, type EventEnvelope, type RunEvent, type RunEventOf, type RunEventType } from './run/run-event.ts'
export type { RunFacts, RunWith } from './run/run-facts.ts'
export type { RunProgress } from './run/run-progress.ts'
export type { OtherToolName, RunEventWith, ToolMessageOf } from './run/tool-event.ts'
export type { JsonOf } from './schema/json-of.ts'
export type { McpEvent, McpServerStatus, McpToolListDiff } from './run/mcp-event.ts'
export type { BusEvent, BusEventType, ResourceEvent, RuntimeEnd, RuntimeEvent } from './run/runtime-event.ts'
export { ENTRY_VERSION } from './schema/entry-version.ts'
export { holdsSecret } from './secrets/holds-secret.ts'
export { compileWildcard } from './pattern/compile-wildcard.ts'
export { WORD_PREFIX_LENGTH, rankByWords, type WordDocument, type WordQuery } from './search/rank-by-words.ts'
export { searchWords } from './search/search-words.ts'
export {
  createMemoryArtifacts,
  type MemoryArtifacts,
  type MemoryArtifactsOptions,
} from './store/memory/create-memory-artifacts.ts'
export { createMemoryDeadLetters } from './store/memory/create-memory-dead-letters.ts'
export { checkRuns, createMemoryQuotas, type MemoryQuotas } from './store/memory/create-memory-quotas.ts'
export { applyToRecord } from './store/apply-to-record.ts'
export type { Artifact, ArtifactOwner, ArtifactStore } from './store/artifact-store.ts'
export { checkIdentifiers, withCheckedIdentifiers } from './store/check-identifiers.ts'
export { checkAppend, checkSessionHead, isTerminalEntry, type JournalHead } from './store/check-append.ts'
export type { Claim, ClaimRequest, Heartbeat } from './store/claim.ts'
export type { DeadLetter, DeadLetterQuery, DeadLetterStore } from './store/dead-letter-store.ts'
export type { JournalAppend } from './store/journal-append.ts'
export type { NoteStore } from './store/note-store.ts'
export type { Note, NoteKey, NotePut, NoteSearch, NoteText, NoteUpdate } from './store/note.ts'
export type { QuotaCount, QuotaKey, QuotaStore, QuotaTotal } from './store/quota-store.ts'
export type { InboxItem, PutRequest, RunInbox } from './store/run-inbox.ts'
export type { PruneQuery, RunQuery } from './store/run-query.ts'
export type { RunRecord, RunStatus } from './store/run-record.ts'
export { orderUsageTotals } from './store/order-usage-totals.ts'
export type { RunReports, UsageField, UsageQuery, UsageTotal, WorkerRecord } from './store/run-reports.ts'
export type { StoreParts } from './store/store-parts.ts'
export type { ReadOptions, StoreCallOptions } from './store/store-call-options.ts'
export { isJson } from './schema/is-json.ts'
export { jsonTextFault, storageFault } from './store/storage-fault.ts'
export type { Store } from './store/store.ts'
export type { WorkflowKey, WorkflowPut, WorkflowRecord, WorkflowStore } from './store/workflow-store.ts'
export type { ContextCut, ContextEditor, ContextStep } from './tool/context-editor.ts'
export { defineTool, type ToolDefinition } from './tool/define-tool.ts'
export type {
  AgentLike,
  CompletedDelegate,
  Delegate,
  DelegateRequest,
  DelegateResult,
  IncompleteDelegate,
} from './tool/delegate.ts'
export type { Permission, PermissionRule } from './tool/permission.ts'
export type { ToolContext } from './tool/tool-context.ts'
export {
  isToolOutcome,
  toolAnswer,
  toolAsk,
  toolError,
  toolHandoff,
  toolOk,
  toolPending,
  type ToolAnswer,
  type ToolAsk,
  type ToolAskOptions,
  type ToolErrorOptions,
  type ToolFailure,
  type ToolHandoff,
  type ToolHandoffOptions,
  type ToolOk,
  type ToolOutcome,
  type ToolPending,
} from './tool/tool-outcome.ts'
export type { ToolSource } from './tool/tool-source.ts'
export type { Reconciliation, Tool, ToolEffect } from './tool/tool.ts'
export type {
  AgentSnapshot,
  ApprovalDecision,
  ApprovalRequest,
  AssistantMessage,
  AssistantPart,
  CancelReason,
  ClientCall,
  ClientTool,
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
  ModelUsage,
  OpaquePart,
  Outcome,
  Principal,
  ProviderData,
  ReasoningPart,
  Relation,
  RunCommand,
  Submission,
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
