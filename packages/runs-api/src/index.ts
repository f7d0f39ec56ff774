export { createRunsClient } from './client/create-runs-client.ts'
export type {
  ApprovalsQuery,
  CallOptions,
  DeadLettersQuery,
  EntriesQuery,
  EventsOptions,
  RunsClient,
  RunsClientOptions,
  RunsQuery,
  StreamState,
  UnknownCallsQuery,
  UsageReportQuery,
} from './client/runs-client.ts'
export { toTestFile, type RecordedRun } from './test-file/to-test-file.ts'
export type { ApprovalItem, ApprovalList, DecideRequest, WaitingApproval, WaitingClientCall } from './wire/approvals.ts'
export type {
  AgentInfo,
  ToolInfo,
  ToolList,
  ToolSourceInfo,
  WorkflowEdge,
  WorkflowInfo,
  WorkflowNode,
} from './wire/definitions.ts'
export type {
  DeadLetterList,
  HealthPart,
  RecordedOutcome,
  RecordOutcomeRequest,
  ServerHealth,
  UnknownCall,
  UnknownCallList,
  UsageReport,
  WorkerList,
} from './wire/operations.ts'
export type {
  CancelRequest,
  CompactRequest,
  ForkCall,
  ForkPlan,
  ForkRequest,
  MessageRequest,
  PruneResult,
  ReplacedResult,
  RerunRequest,
  RunChanges,
  RunState,
  StartedRun,
  StartedRuns,
  StartRequest,
  SubmitRequest,
  TestFile,
} from './wire/run-verbs.ts'
export type {
  EntryPage,
  RequestView,
  RunDetail,
  RunNode,
  RunPage,
  TranscriptMessage,
  TranscriptView,
} from './wire/run-views.ts'
export type { RunsAccess, RunsApiInfo, StoreFeatures } from './wire/runs-access.ts'
