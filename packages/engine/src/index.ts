export { agentTool, type AgentToolInput, type AgentToolOptions } from './agents/agent-tool.ts'
export type { Caller } from './agents/caller.ts'
export type { ChildOrder } from './agents/child-order.ts'
export type { BrokenChild } from './agents/collect-children.ts'
export { bestOf, type BestOfOptions, type BestOfResult } from './agents/best-of.ts'
export type { Branch, BranchHost, BranchResult } from './agents/branch.ts'
export { fanOut, type FanOutOptions, type FanOutResult } from './agents/fan-out.ts'
export { judge, type JudgeOptions } from './agents/judge.ts'
export type { Candidate, Selection, SelectionContext, SelectionName } from './agents/selection.ts'
export { defineAgent, type Agent, type ApprovalHandler } from './runtime/agent.ts'
export type { CompactionBounds } from './context/compaction-bounds.ts'
export { createTokenCounter } from './context/create-token-counter.ts'
export { modelSummary } from './context/model-summary.ts'
export type { Overlay } from './context/overlay.ts'
export { phiCompaction, type PhiCompactionOptions } from './context/phi-compaction.ts'
export { slidingWindow, type SlidingWindowOptions } from './context/sliding-window.ts'
export { summarize, type SummarizeOptions } from './context/summarize.ts'
export type { Summarizer, SummaryRequest } from './context/summarizer.ts'
export { truncateOldest, type TruncateOldestOptions } from './context/truncate-oldest.ts'
export { turnDigest } from './context/turn-digest.ts'
export { APPROVAL_TIMED_OUT } from './tools/execute-call.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export { decide, type Action, type Policy } from './journal/decide.ts'
export { evolve } from './journal/evolve.ts'
export { openRequests } from './journal/waiting.ts'
export type { Limits } from '@parley/core'
export type { RequestCapture } from './model/request-capture.ts'
export { restoreRequest } from './model/restore-request.ts'
export { DEFAULT_LIMITS } from './journal/limits.ts'
export { loadRun } from './journal/load-run.ts'
export { isValidTranscript, repairTranscript } from './journal/repair-transcript.ts'
export type { CallNews, DurableHost, Ending, LeftCall, OpenCall, Steps } from './run/durable-host.ts'
export type { InputOptions, Interrupted, Run, RunResult, Suspended } from './run/run.ts'
export { checkDecision } from './approval/check-decision.ts'
export type { DecidedApproval } from './approval/decided-approval.ts'
export { loadRunResult } from './agents/child-result.ts'
export { outermostRun } from './agents/outermost-run.ts'
export {
  initialState,
  type CallState,
  type ChildResult,
  type ChildState,
  type PendingEdit,
  type PendingHandoff,
  type ContextState,
  type QueuedInput,
  type RunState,
} from './journal/run-state.ts'
export type {
  BranchOptions,
  CompactOptions,
  DecideOptions,
  ForkOptions,
  PruneOptions,
  ReplayOptions,
  ResumeOptions,
  Retention,
  RunOptions,
  Runtime,
  RuntimeOptions,
  ScopeOptions,
} from './runtime/runtime.ts'
export type { ResumedRuns } from './runtime/create-resumer.ts'
export type { AgentDefaults } from './runtime/agent-defaults.ts'
export type { AgentDirectory } from './runtime/agent-registry.ts'
export type { CloseOptions, CloseReport } from './runtime/close-runtime.ts'
export type { Resource } from './runtime/close-resources.ts'
export type { BusHealth, Health, LastModelCall } from './runtime/health.ts'
export type { PermissionPolicyRule } from './runtime/permission-policy.ts'
export type { SessionRun } from './runtime/label-runs.ts'
export type { ToolDirectory } from './runtime/tool-directory.ts'
export type { Quota } from './quota/quota.ts'
export type { Instructions } from './prompt/instructions.ts'
export {
  BUILT_IN_VARIABLES,
  promptTemplate,
  splitTemplate,
  type PromptTemplate,
  type TemplatePiece,
} from './prompt/prompt-template.ts'
export type { OutputStrategy } from './output/output-strategy.ts'
export type { OutputOptions } from './output/prepare-output.ts'
export type { InputQueueOptions } from './journal/input-queue.ts'
export type { TruncationPolicy } from './journal/truncation.ts'
export { webhookApproval, type WebhookApprovalOptions } from './approval/webhook-approval.ts'
export { Transcript } from './journal/transcript.ts'
export { createEventBus, type EventBusOptions } from './bus/create-event-bus.ts'
export type {
  DeadLetters,
  Delivery,
  EventBus,
  EventBusStats,
  EventFilter,
  EventHandler,
  EventOrigin,
  RedriveQuery,
  RedriveReport,
  SubscriberStats,
  SubscribeOptions,
  Subscription,
} from './bus/event-bus.ts'
