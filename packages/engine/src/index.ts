export { defineAgent, type Agent, type ApprovalHandler } from './runtime/agent.ts'
export { compileSchema, type Validate, type Validation } from './tools/compile-schema.ts'
export { createMemoryStore } from './runtime/create-memory-store.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export { decide, type Action, type Policy } from './journal/decide.ts'
export { evolve } from './journal/evolve.ts'
export { DEFAULT_LIMITS, type Limits } from './journal/limits.ts'
export { loadRun } from './journal/load-run.ts'
export { isValidTranscript, repairTranscript } from './journal/repair-transcript.ts'
export type { Interrupted, Run, RunResult, Suspended } from './run/run.ts'
export { initialState, type CallState, type QueuedInput, type RunState } from './journal/run-state.ts'
export type {
  BranchOptions,
  DecideOptions,
  ForkOptions,
  PruneOptions,
  ResumeOptions,
  RunOptions,
  Runtime,
  RuntimeOptions,
  ScopeOptions,
} from './runtime/runtime.ts'
export type { AgentDefaults } from './runtime/agent-defaults.ts'
export type { AgentDirectory } from './runtime/agent-registry.ts'
export type { CloseOptions, CloseReport } from './runtime/close-runtime.ts'
export type { Resource } from './runtime/close-resources.ts'
export type { BusHealth, Health, LastModelCall } from './runtime/health.ts'
export type { PermissionPolicyRule } from './runtime/permission-policy.ts'
export type { ToolDirectory } from './runtime/tool-directory.ts'
export type { Quota } from './quota/quota.ts'
export { systemClock } from './runtime/system-clock.ts'
export { Transcript } from './journal/transcript.ts'
export { createEventBus, type EventBusOptions } from './bus/create-event-bus.ts'
export { createMemoryDeadLetters } from './bus/create-memory-dead-letters.ts'
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
