export { agentTool, type AgentToolInput, type AgentToolOptions } from './agents/agent-tool.ts'
export type { Caller } from './agents/caller.ts'
export type { ChildOrder } from './agents/child-order.ts'
export type { BrokenChild } from './agents/collect-children.ts'
export { defineAgent, type Agent } from './runtime/agent.ts'
export { createTokenCounter } from './context/create-token-counter.ts'
export type { Overlay } from './context/overlay.ts'
export { APPROVAL_TIMED_OUT } from './tools/execute-call.ts'
export { createMemoryStore, type MemoryStoreOptions } from './runtime/create-memory-store.ts'
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
export { Transcript } from './journal/transcript.ts'
