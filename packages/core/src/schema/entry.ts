import * as z from 'zod'
import {
  agentChanged,
  agentEnded,
  agentStarted,
  agentSuspended,
  answerDiscarded,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  contextCompacted,
  inputDropped,
  inputFiltered,
  inputQueued,
  instructionsEvaluated,
  limitReached,
  messageAppended,
  modelCalled,
  modelFailed,
  outputAccepted,
  outputRejected,
  requestKept,
  runEnded,
  runFailed,
  runResumed,
  runStarted,
  runSuspended,
  toolEnded,
  toolRequested,
  toolStarted,
  toolSubmitted,
} from './entry-schemas.ts'

/** A durable fact about a run. The state of a run is computed from its entries. */
export const entrySchema = z.discriminatedUnion('type', [
  runStarted,
  runResumed,
  instructionsEvaluated,
  messageAppended,
  inputQueued,
  inputDropped,
  inputFiltered,
  requestKept,
  modelCalled,
  answerDiscarded,
  outputAccepted,
  outputRejected,
  modelFailed,
  toolStarted,
  toolEnded,
  contextCompacted,
  approvalRequested,
  approvalDecided,
  toolRequested,
  toolSubmitted,
  agentStarted,
  agentSuspended,
  agentEnded,
  agentChanged,
  runSuspended,
  runFailed,
  cancelRequested,
  limitReached,
  runEnded,
])

// Named interfaces keep what an editor shows about an entry short.
interface RunStarted extends z.infer<typeof runStarted> {}
interface RunResumed extends z.infer<typeof runResumed> {}
interface InstructionsEvaluated extends z.infer<typeof instructionsEvaluated> {}
interface MessageAppended extends z.infer<typeof messageAppended> {}
interface InputQueued extends z.infer<typeof inputQueued> {}
interface InputDropped extends z.infer<typeof inputDropped> {}
interface InputFiltered extends z.infer<typeof inputFiltered> {}
interface RequestKept extends z.infer<typeof requestKept> {}
interface ModelCalled extends z.infer<typeof modelCalled> {}
interface AnswerDiscarded extends z.infer<typeof answerDiscarded> {}
interface OutputAccepted extends z.infer<typeof outputAccepted> {}
interface OutputRejected extends z.infer<typeof outputRejected> {}
interface ModelFailed extends z.infer<typeof modelFailed> {}
interface ToolStarted extends z.infer<typeof toolStarted> {}
interface ToolEnded extends z.infer<typeof toolEnded> {}
interface ContextCompacted extends z.infer<typeof contextCompacted> {}
interface ApprovalRequested extends z.infer<typeof approvalRequested> {}
interface ApprovalDecided extends z.infer<typeof approvalDecided> {}
interface ToolRequested extends z.infer<typeof toolRequested> {}
interface ToolSubmitted extends z.infer<typeof toolSubmitted> {}
interface AgentStarted extends z.infer<typeof agentStarted> {}
interface AgentSuspended extends z.infer<typeof agentSuspended> {}
interface AgentEnded extends z.infer<typeof agentEnded> {}
interface AgentChanged extends z.infer<typeof agentChanged> {}
interface RunSuspended extends z.infer<typeof runSuspended> {}
interface RunFailed extends z.infer<typeof runFailed> {}
interface CancelRequested extends z.infer<typeof cancelRequested> {}
interface LimitReached extends z.infer<typeof limitReached> {}
interface RunEnded extends z.infer<typeof runEnded> {}

/** A durable fact about a run: one entry of its journal. */
export type Entry =
  | RunStarted
  | RunResumed
  | InstructionsEvaluated
  | MessageAppended
  | InputQueued
  | InputDropped
  | InputFiltered
  | RequestKept
  | ModelCalled
  | AnswerDiscarded
  | OutputAccepted
  | OutputRejected
  | ModelFailed
  | ToolStarted
  | ToolEnded
  | ContextCompacted
  | ApprovalRequested
  | ApprovalDecided
  | ToolRequested
  | ToolSubmitted
  | AgentStarted
  | AgentSuspended
  | AgentEnded
  | AgentChanged
  | RunSuspended
  | RunFailed
  | CancelRequested
  | LimitReached
  | RunEnded

/** Type name of an entry. */
export type EntryType = Entry['type']
/** The entry with this type name. */
export type EntryOf<TType extends EntryType> = Extract<Entry, { type: TType }>
