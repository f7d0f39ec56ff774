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
export { compileSchema, type Validate, type Validation } from './tools/compile-schema.ts'
export { createMemoryStore } from './runtime/create-memory-store.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export { decide, type Action, type Policy } from './journal/decide.ts'
export { evolve } from './journal/evolve.ts'
export { DEFAULT_LIMITS, type Limits } from './journal/limits.ts'
export { loadRun } from './journal/load-run.ts'
export { isValidTranscript, repairTranscript } from './journal/repair-transcript.ts'
export type { Interrupted, Run, RunResult, Suspended } from './run/run.ts'
export {
  initialState,
  type CallState,
  type ContextState,
  type QueuedInput,
  type RunState,
} from './journal/run-state.ts'
export type { DecideOptions, ResumeOptions, RunOptions, Runtime, RuntimeOptions } from './runtime/runtime.ts'
export { systemClock } from './runtime/system-clock.ts'
export { Transcript } from './journal/transcript.ts'
