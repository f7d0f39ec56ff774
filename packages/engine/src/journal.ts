export { loadRun } from './run-context/stored/load-run.ts'
export { loadRunMessages, type LocatedMessage } from './runtime/journals/run-messages.ts'
export { loadRunTree, type RunTree } from './runtime/journals/run-tree.ts'
export { restoreRequest } from './steps/model/restore-request.ts'
export { describeFork, type ForkCall, type ForkPlan } from './loop/describe-fork.ts'
export { decide, type Action, type Due, type Policy } from './journal/decide.ts'
export { evolve } from './journal/evolve.ts'
export {
  initialState,
  type CallState,
  type ChildResult,
  type ChildState,
  type ContextState,
  type Overlay,
  type PendingEdit,
  type PendingHandoff,
  type QueuedInput,
  type RunState,
} from './journal/run-state.ts'
export { Transcript } from './journal/transcript.ts'
export { isValidTranscript, repairTranscript } from './journal/repair-transcript.ts'
export { openRequests } from './journal/waiting.ts'
export { APPROVAL_TIMED_OUT } from './steps/tools/approval-call.ts'
