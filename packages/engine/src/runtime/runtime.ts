import type { Message, RunEvent, RunQuery, RunRecord, UserMessage } from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { AgentDirectory } from '../agent/agent-registry.ts'
import type { ToolDirectory } from '../agent/tools/tool-directory.ts'
import type { BranchOptions, CompactOptions, ForkOptions, RunOptions } from '../loop/run-options.ts'
import type { Run, RunResult } from '../run-context/run-result.ts'
import type { CloseOptions, CloseReport } from './close-runtime.ts'
import type { ResumedRuns } from './create-resumer.ts'
import type { Health } from './health.ts'
import type { SessionRun } from './label-runs.ts'
import type {
  CancelOptions,
  DecideOptions,
  PruneOptions,
  ReplayOptions,
  ResumeOptions,
  ScopeOptions,
} from './runtime-options.ts'

/** Runs agents. One per process is enough; runs share nothing but what they are given. */
export interface Runtime extends AsyncDisposable {
  readonly agents: AgentDirectory
  readonly tools: ToolDirectory
  /**
   * Starts a run at once and hands it over.
   * @throws ParleyError `agent-unknown`, `runtime-closed`, `quota-exceeded` where a quota refuses, `config-invalid` for
   * `variables` the agent's instructions do not know or still need, for `settings` and a `workspace` that make no sense, and for an agent
   * given whole what `agents.register` throws.
   */
  run<TOutput = unknown>(
    agent: string | Agent<TOutput>,
    input: string | UserMessage,
    options?: RunOptions,
  ): Run<TOutput>
  /**
   * Runs an agent and waits for the result.
   * @throws ParleyError as `run` does; the result itself never rejects for a foreseen failure.
   */
  invoke<TOutput = unknown>(
    agent: string | Agent<TOutput>,
    input: string | UserMessage,
    options?: RunOptions,
  ): Promise<RunResult<TOutput>>
  /**
   * Goes on with a run that another process left unfinished. Finished tool calls are not run again. For a sub-agent's run
   * it is the outermost caller's that is gone on with and handed over.
   * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `store-…`.
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run>
  /**
   * Goes on with every unfinished run of a scope that no live worker drives, oldest first, and with those that were let go;
   * those that wait for a person are woken here when their time is up. For the start of a process.
   * @throws ParleyError `runtime-closed`, `store-unavailable`.
   */
  resumeAll(options?: ScopeOptions): Promise<ResumedRuns>
  /**
   * Decides about a call that waits for approval, and goes on with its run. The decision counts once, and is written
   * together with the start of the call it allows. A sub-agent's call is decided by the id of its own run or of any caller's;
   * the outermost run goes on. A run that goes on meanwhile, because another of its calls is still at work, is told where it is
   * driven: here, or through the store, which keeps the decision until then; should another decision come first there, that
   * one counts.
   * `escalated` asks others, or lets another agent go on with the run in the place of the call.
   * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden` when none of `by`'s roles may decide;
   * `agent-unknown` and `request-invalid` for an agent that cannot go on, after which the call waits as before; and what
   * `resume` throws.
   */
  decide(runId: string, approvalId: string, options: DecideOptions): Promise<Run>
  /**
   * `Run.steer` for any unfinished run, whichever process drives it. Resolves when the message is safely kept: in the run's
   * journal, or in the store for whoever drives it now or next. It joins the run once. What the driver's input filters or a
   * full queue refuse then is told by the run's events alone.
   * @throws ParleyError `run-unknown`, `run-ended`, `config-invalid` for a store through which nobody can be reached, `store-…`,
   * and where the run is driven here what `Run.steer` throws.
   */
  steer(runId: string, message: string | UserMessage, options?: ScopeOptions): Promise<void>
  /** `Run.followUp` for any unfinished run, as `steer`. */
  followUp(runId: string, message: string | UserMessage, options?: ScopeOptions): Promise<void>
  /**
   * Stops an unfinished run, whichever process drives it, and hands it over. One that nobody drives is ended here, without
   * its agent; a sub-agent's alone is stopped by its caller's driver. `run.result` tells how it ended.
   * @throws ParleyError `run-unknown`, `run-ended`, `config-invalid` for a store through which nobody can be reached, `store-…`.
   */
  cancel(runId: string, options?: CancelOptions): Promise<Run>
  /**
   * Begins a run at any entry of another's journal, with its transcript as it was then: calls that were open have a
   * result that says so. It becomes the newest run of the other's session, so that the session goes on from it, or of
   * `sessionId`. The other run stays as it is.
   * @throws ParleyError `run-unknown`, `session-busy` while that session has an unfinished run, `config-invalid` for a point
   * the journal does not have or that leaves nothing to answer, and what `run` throws.
   */
  fork(runId: string, options?: ForkOptions): Promise<Run>
  /**
   * Begins a run where another began, with the same input or another one. It becomes the newest of its session as a fork does.
   * @throws ParleyError `run-unknown`, `session-busy`, and what `run` throws.
   */
  rerun(runId: string, options?: BranchOptions): Promise<Run>
  /**
   * Compacts a session now, by its agent's context policy, in a run of its own that says nothing: what it spends counts
   * there, `context.compacted` tells what came of it, and the session goes on from it. What is within the bounds of a
   * policy that only drops messages stays; `summarize` and `phiCompaction` shorten it all the same. Where the policy
   * fails, the run does, and all is sent as before. Steering and follow-ups are refused.
   * @throws ParleyError `session-busy` while the session has an unfinished run, `config-invalid` without a store, for a
   * session it has no run of, or an agent whose `context` is `none`, and what `run` throws.
   */
  compact(sessionId: string, options?: CompactOptions): Promise<Run>
  /**
   * The events a run has shown, from its journal alone, without those that only a live watcher sees; with `follow` also
   * those to come, whichever process drives it.
   * Iterating throws ParleyError `run-unknown`, `store-…`.
   */
  replay(runId: string, options?: ReplayOptions): AsyncIterable<RunEvent>
  /**
   * The messages of a run and of everything it goes on from; of an unfinished one as far as it is.
   * @throws ParleyError `run-unknown`, `store-…`.
   */
  transcript(runId: string, options?: ScopeOptions): Promise<readonly Message[]>
  /**
   * The runs of a session, oldest first. Each one's `parent` is the run it goes on from, branches off or repeats, its `label` a
   * name for people.
   */
  session(sessionId: string, options?: ScopeOptions): Promise<readonly SessionRun[]>
  /** The runs in the store, newest first; none without a store. */
  runs(query?: Partial<RunQuery>): Promise<readonly RunRecord[]>
  /**
   * Removes ended runs that were last written longer ago than that, except those that a remaining run descends from.
   * Never touches an unfinished run.
   * @returns How many were removed.
   * @throws ParleyError `config-invalid` for an age that is none, or a store that keeps everything.
   */
  prune(options: PruneOptions): Promise<number>
  /** How the runtime, its store and its bus are. Never rejects. */
  health(): Promise<Health>
  /**
   * Starts no more runs, lets those under way end until `drainMs` have passed, cancels or suspends the rest (`onClose`),
   * flushes the bus and closes `resources`. Idempotent: every call gets the first one's report. Never rejects.
   * @throws ParleyError `config-invalid` for a time that makes no sense, before anything is closed.
   */
  close(options?: CloseOptions): Promise<CloseReport>
}
