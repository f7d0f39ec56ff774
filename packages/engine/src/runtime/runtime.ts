import type {
  ApprovalDecision,
  CancelReason,
  Clock,
  EventSink,
  Message,
  Model,
  ModelProvider,
  Principal,
  RunEvent,
  RunQuery,
  RunRecord,
  Store,
  Tool,
  ToolSource,
  UserMessage,
} from '@parley/core'
import type { BranchOptions, CompactOptions, ForkOptions, RunOptions } from '../loop/run-options.ts'
import type { ParentRef } from '../run-context/parent-call.ts'
import type { Agent } from '../agent/agent.ts'
import type { AgentDefaults } from '../agent/agent-defaults.ts'
import type { AgentDirectory } from '../agent/agent-registry.ts'
import type { CloseOptions, CloseReport } from './close-runtime.ts'
import type { Resource } from './close-resources.ts'
import type { Health } from './health.ts'
import type { Quota } from '../agent/quota/quota.ts'
import type { ResumedRuns } from './create-resumer.ts'
import type { DurableHost } from '../loop/durable-host.ts'
import type { RequestCapture } from '../run-context/request-capture.ts'
import type { Run, RunResult } from '../run-context/run.ts'
import type { SessionRun } from './label-runs.ts'
import type { ToolDirectory } from '../agent/tools/tool-directory.ts'

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

export interface RuntimeOptions {
  /** Agents known by name; more can come later. @default none */
  readonly agents?: readonly Agent[] | undefined
  /** Models that agents may name. @default none */
  readonly models?: Readonly<Record<string, Model>> | undefined
  /** Where a model named `provider/id` comes from. @default none */
  readonly providers?: readonly ModelProvider[] | undefined
  /** Tools, and sources of tools, that agents may name. @default none */
  readonly tools?: readonly (Tool | ToolSource)[] | undefined
  /** What agents do where they say nothing themselves. */
  readonly defaults?: AgentDefaults | undefined
  /** What all runs may take together. @default unlimited */
  readonly quota?: Quota | undefined
  /**
   * Hands the events of all runs, and those of the runtime's own end, to subscribers. Flushed when the runtime closes; closed
   * only as one of `resources`. @default none
   */
  readonly bus?: EventSink | undefined
  /** Closed with the runtime, once each, the last one first. Nothing else that the runtime was given is. @default none */
  readonly resources?: readonly Resource[] | undefined
  /**
   * What becomes of runs that `close` cuts off: cancelled with reason `shutdown`, or suspended in the store, where any
   * worker may resume them at once. @default 'cancel'
   */
  readonly onClose?: 'cancel' | 'suspend' | undefined
  /** Where runs are journaled. @default none: nothing is kept, nothing can be resumed */
  readonly store?: Store | undefined
  /** This process, in the store's claims. @default a random id */
  readonly worker?: string | undefined
  /** Whether the process that once claimed a run is known to be gone, so that its claim need not lapse first. @default never */
  readonly isWorkerGone?: ((worker: string) => boolean) | undefined
  /** How long a claim outlives its worker's last heartbeat. @default 15_000 */
  readonly leaseMs?: number | undefined
  /**
   * Scopes whose unfinished runs this process goes on with, as by `resumeAll`: at its start, and every `leaseMs` after
   * that, so that what other processes leave behind is taken over. @default none
   */
  readonly autoResume?: readonly string[] | undefined
  /**
   * Removes what has been over for long, as by `prune`: at the start of this process, and again and again.
   * @default everything is kept
   */
  readonly retention?: Retention | undefined
  /**
   * What becomes of the requests that models are sent. Who watches a run of which they are shown sees its instructions and
   * all it was told. @default 'none'
   */
  readonly captureRequests?: RequestCapture | undefined
  /** @default the machine's */
  readonly clock?: Clock | undefined
}

export interface Retention {
  /** How long an ended run is kept after it was last written. */
  readonly olderThanMs: number
  /** The partitions of the store it is for. @default `default` alone */
  readonly scopes?: readonly string[] | undefined
  /** How often to look. @default 3_600_000 */
  readonly everyMs?: number | undefined
}

export interface ScopeOptions {
  /** The partition of the store to look in; what is in another is unknown. @default 'default' */
  readonly scope?: string | undefined
}

export interface CancelOptions extends ScopeOptions {
  /** @default `{ kind: 'user' }` */
  readonly reason?: CancelReason | undefined
}

export interface ReplayOptions extends ScopeOptions {
  /** Number of the last entry the reader has seen. @default 0 */
  readonly afterSeq?: number | undefined
  /** Waits for what comes, through suspensions and changes of the process, until the run has ended. @default false */
  readonly follow?: boolean | undefined
  /** Aborting it ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

export interface PruneOptions extends ScopeOptions {
  readonly olderThanMs: number
}

export interface DecideOptions extends ResumeOptions {
  readonly decision: ApprovalDecision
  /** Who decides; needed where the request names roles. */
  readonly by?: Principal | undefined
}

export interface ResumeOptions extends ScopeOptions {
  /** Take the run from a worker that seems alive. @default false */
  readonly force?: boolean | undefined
  /** Takes the run's steps. Its requests for approval are timed by the host then. @default this process */
  readonly host?: DurableHost | undefined
  /** `RunOptions.parent` of the run: then this run is resumed instead of its root run. @default none */
  readonly parent?: ParentRef | undefined
  readonly signal?: AbortSignal | undefined
}
