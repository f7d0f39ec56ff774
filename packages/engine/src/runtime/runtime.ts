import type {
  EventSink,
  Message,
  RunEvent,
  RunEventWith,
  RunQuery,
  RunRecord,
  Store,
  Tool,
  UserMessage,
} from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { AgentNamed, TypesOf } from '../agent/types-of-agents.ts'
import type { AgentDirectory } from '../agent/agent-registry.ts'
import type { ToolDirectory } from '../agent/tools/tool-directory.ts'
import type { BranchOptions, CompactOptions, ForkOptions, RunArguments } from '../loop/run-options.ts'
import type { Pending } from '../run-context/requests/pending-requests.ts'
import type { CompletedRun, Run } from '../run-context/run-result.ts'
import type { CloseOptions, CloseReport } from './close-runtime.ts'
import type { ResumedRuns } from './create-resumer.ts'
import type { Health } from './health.ts'
import type { SessionRun } from './label-runs.ts'
import type { ToolResult } from './commands/to-submission.ts'
import type { PendingApproval } from './journals/pending-approvals.ts'
import type {
  ApprovalQuery,
  CancelOptions,
  DecideOptions,
  PruneOptions,
  ReplayOptions,
  ResumeOptions,
  ScopeOptions,
  SubmitOptions,
} from './runtime-options.ts'

/**
 * Runs agents. One runtime for each process is enough: runs share only what they are given. `TAgent` are the agents that it was
 * created with: a run that names one of them has its types.
 */
export interface Runtime<TAgent extends Agent = Agent> extends AsyncDisposable {
  readonly agents: AgentDirectory
  readonly tools: ToolDirectory
  /** The store that keeps the runs. `undefined` if runs live in memory only. */
  readonly store: Store | undefined
  /** The event bus of the runtime. `undefined` if it has none. */
  readonly bus: EventSink | undefined
  /**
   * Starts a run at once and returns it. An input without content adds no message: the run
   * answers its history, or ends at once if that has nothing to answer.
   * @throws ParleyError `agent-unknown`; `runtime-closed`; `quota-exceeded` if a quota refuses the run; `config-invalid` if the
   * input is neither a text nor a user message, if an option is invalid or `variables` do not match the agent's instructions; and what `agents.register` throws, if `agent` is a
   * definition.
   */
  run<
    const TName extends TAgent['name'] | (string & {}),
    TOutput = TypesOf<AgentNamed<TAgent, TName>>['output'],
    TTool extends Tool = TypesOf<AgentNamed<TAgent, TName>>['tool'],
    TContext = TypesOf<AgentNamed<TAgent, TName>>['context'],
  >(
    agent: TName | Agent<TOutput, TName, TTool, TContext>,
    input: string | UserMessage,
    ...options: RunArguments<NoInfer<TContext>>
  ): Run<TOutput, RunEventWith<TTool>>
  /**
   * Runs an agent and resolves to the result of the completed run: `run(…).orThrow()`.
   * @throws RunFailedError If the run does not complete; its `result` has the run as data.
   * @throws ParleyError What `run` throws.
   */
  invoke<
    const TName extends TAgent['name'] | (string & {}),
    TOutput = TypesOf<AgentNamed<TAgent, TName>>['output'],
    TContext = TypesOf<AgentNamed<TAgent, TName>>['context'],
  >(
    agent: TName | Agent<TOutput, TName, Tool, TContext>,
    input: string | UserMessage,
    ...options: RunArguments<NoInfer<TContext>>
  ): Promise<CompletedRun<TOutput>>
  /**
   * Resumes an unfinished run that no process drives. Finished tool calls do not run again. For a child run, its root run is
   * resumed and returned. Resolves when the journal has the resumption; of several processes that resume a run one wins.
   * @throws ParleyError `run-unknown`; `run-ended`; `run-busy` if another process drives or resumes the run; `agent-unknown`;
   * `store-…`.
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run>
  /**
   * Resumes every unfinished run of a scope that no live worker drives, oldest first. Runs suspended for approval stay
   * suspended until their requests expire, which this process then watches. Call it when a process starts.
   * @throws ParleyError `runtime-closed`, `store-unavailable`.
   */
  resumeAll(options?: ScopeOptions): Promise<ResumedRuns>
  /**
   * Decides about a tool call whose run the caller does not know, as the form with `runId` does. Finds the run in the journals of
   * the unfinished runs of the scope; a run id spares that search.
   * @throws ParleyError `approval-unknown`, also if the approval was decided before; and what the other form throws.
   */
  decide(approvalId: string, options: DecideOptions): Promise<Run>
  /**
   * Decides about a tool call that is suspended for approval, and resumes its run. Resolves when the decision is
   * durable in the journal. One decision about a request counts; later ones are rejected. For a call of a child run,
   * pass the id of the child run or of any of its parent runs; the root run is resumed. If another process drives the
   * run, its inbox gets the decision. `decide` then waits until that process has recorded a decision, or resumes the
   * run after the lease of that process. `escalated` asks approvers with other roles, or hands the run over to another
   * agent instead of running the call.
   * @throws ParleyError `approval-unknown`; `approval-decided`; `run-ended`, also while the run is being cancelled;
   * `approval-forbidden` if no role of `by` may decide;
   * `agent-unknown` and `request-invalid` if the named agent cannot continue the run, which then stays suspended; and what
   * `resume` throws.
   */
  decide(runId: string, approvalId: string, options: DecideOptions): Promise<Run>
  /**
   * Submits the result of a tool call that waits for it: of a tool that the client executes, or whose handler returned
   * `toolPending()`. Validates the result against the tool's output schema and resumes the run, in any process. The first
   * result counts, and it becomes durable together with the end of the call. For a call of a child run, pass the id of the
   * child run or of any of its parent runs.
   * @param result What a handler could return: a text for the model, other JSON data, `toolOk` or `toolError`.
   * @throws ParleyError `client-call-unknown`; `client-call-settled` if the call already has a result, its time has passed or the
   * run has ended; `request-invalid` if `result` is neither a JSON value nor an outcome, is nested too deeply, or if two child runs
   * have a call with this id and the run itself has none; and what `resume` throws.
   */
  submitToolResult(runId: string, callId: string, result: ToolResult, options?: SubmitOptions): Promise<Run>
  /**
   * Steers an unfinished run as `Run.steer` does, whichever process drives it. Resolves when the message is durable: in
   * the run's journal, or in the store for the process that drives the run now or next. The message is appended once.
   * If an input filter or a full queue refuses it later, only the run's events show this.
   * @throws ParleyError `run-unknown`; `run-ended`; `config-invalid` if the store has no inbox; `store-…`; and what
   * `Run.steer` throws, if this process drives the run.
   */
  steer(runId: string, message: string | UserMessage, options?: ScopeOptions): Promise<void>
  /**
   * Queues a message for an unfinished run as `Run.followUp` does, whichever process drives it. Resolves and throws as
   * `steer` does.
   */
  followUp(runId: string, message: string | UserMessage, options?: ScopeOptions): Promise<void>
  /**
   * Cancels an unfinished run, whichever process drives it, and returns it; `run.result` tells how it ended. Resolves when the
   * cancel is durable: in the run's journal, or in the store for the process that drives the run now or next. A run that no
   * process drives is ended here, without its agent. A child run is stopped by the process that drives its parent run.
   * @throws ParleyError `run-unknown`; `run-ended`; `config-invalid` if the store has no inbox; `store-…`.
   */
  cancel(runId: string, options?: CancelOptions): Promise<Run>
  /**
   * Starts a run from any entry of another run's journal, with the transcript up to that entry; calls that were open there get
   * a result that says so. The new run becomes the newest of the session, or of `sessionId`. The other run does not change.
   * @throws ParleyError `run-unknown`; `session-busy` if the session has an unfinished run; `config-invalid` if the journal has
   * no such entry or nothing to answer there; and what `run` throws.
   */
  fork(runId: string, options?: ForkOptions): Promise<Run>
  /**
   * Starts a run where another run began, with the same input or a new one. The new run becomes the newest of its
   * session, as with `fork`.
   * @throws ParleyError `run-unknown`, `session-busy`, and what `run` throws.
   */
  rerun(runId: string, options?: BranchOptions): Promise<Run>
  /**
   * Compacts a session now with its agent's context policy, in a separate run without an answer. The usage of that run
   * is the policy's own, and its entry `context.compacted` describes the result. Policies that only drop messages do
   * nothing within their bounds; `summarize` and `phiCompaction` always shorten. If the policy fails, the run fails and
   * the session does not change. The run refuses steering and follow-ups.
   * @throws ParleyError `session-busy` if the session has an unfinished run; `config-invalid` without a store, without
   * a run of the session, or for an agent whose `context` is `none`; and what `run` throws.
   */
  compact(sessionId: string, options?: CompactOptions): Promise<Run>
  /**
   * Returns the events of a run from its journal, without ephemeral events. With `follow`, also waits for later events,
   * whichever process drives the run. With `ephemeral`, pieces of answers come too if this process drives it. Iterating throws ParleyError `run-unknown`, `store-…`.
   */
  replay(runId: string, options?: ReplayOptions): AsyncIterable<RunEvent>
  /** Returns the messages of a run and of the runs that it continues. @throws ParleyError `run-unknown`, `store-…`. */
  transcript(runId: string, options?: ScopeOptions): Promise<readonly Message[]>
  /**
   * Returns what a run and its child runs wait for: approvals, and results of the client. Changes nothing, whichever
   * process drives the run. A request of a child run has the id of the child run as `runId`; `decide` takes the id of
   * any run above it too.
   * @throws ParleyError `run-unknown`, `store-…`.
   */
  pending(runId: string, options?: ScopeOptions): Promise<Pending>
  /**
   * Lists the pending approvals of unfinished runs, for example of one session or for one role. Those of the newest
   * runs come first. Needs none of the agents and changes nothing. Empty without a store.
   * @throws ParleyError `run-unknown`, `store-…`.
   */
  approvals(query?: ApprovalQuery): Promise<readonly PendingApproval[]>
  /**
   * Lists the runs of a session, oldest first. `parent` is the run that a run continues, forks or repeats; `label` is a
   * readable name.
   */
  session(sessionId: string, options?: ScopeOptions): Promise<readonly SessionRun[]>
  /** Lists the runs in the store, newest first. Empty without a store. */
  runs(query?: Partial<RunQuery>): Promise<readonly RunRecord[]>
  /**
   * Removes ended runs whose last entry is older than `olderThanMs`, except runs that a remaining run continues.
   * @returns The number of removed runs.
   * @throws ParleyError `config-invalid` if `olderThanMs` is invalid or the store cannot remove runs.
   */
  prune(options: PruneOptions): Promise<number>
  /** Returns the state of the runtime, its store and its bus. Never rejects. */
  health(): Promise<Health>
  /**
   * Starts no more runs, lets current runs end for `drainMs`, cancels or suspends the rest (`onClose`), flushes the bus and
   * closes `resources`. Every call returns the report of the first one. Never rejects.
   * @throws ParleyError `config-invalid` if an option is invalid; nothing is closed then.
   */
  close(options?: CloseOptions): Promise<CloseReport>
}
