export { agentTool, isAgentTool, type AgentToolInput, type AgentToolOptions } from './agent/tools/agent-tool.ts'
export { defineAgent, type AgentDefinition } from './agent/define-agent.ts'
export type { Agent } from './agent/agent.ts'
export {
  applyContextPolicy,
  type AppliedContext,
  type ApplyContextOptions,
} from './steps/context/apply-context-policy.ts'
export { estimateTokens } from './agent/context/estimate-tokens.ts'
export { createTokenCounter } from './agent/context/create-token-counter.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export type { Limits } from '@parley/core'
export type { RequestCapture } from './run-context/request-capture.ts'
export { DEFAULT_LIMITS } from './journal/limit-hit.ts'
export type { Pending } from './run-context/requests/pending-requests.ts'
export { RunFailedError } from './run-context/run-failed-error.ts'
export type {
  CompletedRun,
  IncompleteRun,
  InputOptions,
  Interrupted,
  Run,
  RunResult,
  Suspended,
} from './run-context/run-result.ts'
export type {
  BranchOptions,
  CompactOptions,
  ForkOptions,
  ReplacedResult,
  RunArguments,
  RunOptions,
} from './loop/run-options.ts'
export type { Runtime } from './runtime/runtime.ts'
export type { PendingApproval } from './runtime/journals/pending-approvals.ts'
export type {
  ApprovalQuery,
  DecideOptions,
  PruneOptions,
  ReplayOptions,
  ResumeOptions,
  Retention,
  RuntimeOptions,
  ScopeOptions,
  SubmitOptions,
} from './runtime/runtime-options.ts'
export type { ResumedRuns } from './runtime/create-resumer.ts'
export type { AgentDefaults } from './agent/agent-defaults.ts'
export type { AgentDirectory } from './agent/agent-registry.ts'
export type { CloseOptions, CloseReport } from './runtime/close-runtime.ts'
export type { Resource } from './runtime/close-resources.ts'
export type { BusHealth, Health, LastModelCall } from './runtime/health.ts'
export type { PermissionPolicyRule } from './agent/permission-policy.ts'
export type { ToolResult } from './runtime/commands/to-submission.ts'
export type { SessionRun } from './runtime/label-runs.ts'
export type { ToolDirectory } from './agent/tools/tool-directory.ts'
export type { Quota } from './agent/quota/quota.ts'
export type { RenderContext } from './agent/instructions/built-in-values.ts'
export { effectiveSystemPrompt, type SystemPromptOptions } from './agent/instructions/effective-system-prompt.ts'
export { renderTemplate } from './agent/instructions/render-template.ts'
export type { Instructions, InstructionsFunction } from './agent/instructions/instructions.ts'
export {
  BUILT_IN_VARIABLES,
  promptTemplate,
  splitTemplate,
  type PromptTemplate,
  type TemplatePiece,
} from './agent/instructions/prompt-template.ts'
export type { OutputOptions, OutputStrategy } from './agent/output/output-options.ts'
export type { InputQueueOptions } from './agent/input-queue.ts'
export type { TruncationPolicy } from './agent/truncated-answer.ts'
