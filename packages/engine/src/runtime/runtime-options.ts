import type {
  ApprovalDecision,
  CancelReason,
  Clock,
  EventSink,
  Model,
  ModelProvider,
  Principal,
  Store,
  Submission,
  Tool,
  ToolSource,
} from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { AgentDefaults } from '../agent/agent-defaults.ts'
import type { Quota } from '../agent/quota/quota.ts'
import type { DurableHost } from '../loop/durable-host.ts'
import type { ParentRef } from '../run-context/children/parent-ref.ts'
import type { OnUnreadFailure } from '../run-context/runtime-ports.ts'
import type { RequestCapture } from '../run-context/request-capture.ts'
import type { Resource } from './close-resources.ts'

/** Options of `createRuntime`. */
export interface RuntimeOptions<TAgent extends Agent = Agent> {
  /** Agents that runs may name. More can be registered later. @default none */
  readonly agents?: readonly TAgent[] | undefined
  /** Models that agents may name. @default none */
  readonly models?: Readonly<Record<string, Model>> | undefined
  /** Providers of models that agents name as `provider/id`. @default none */
  readonly providers?: readonly ModelProvider[] | undefined
  /** Tools and tool sources that agents may name. @default none */
  readonly tools?: readonly (Tool | ToolSource)[] | undefined
  /** Defaults for agents, for fields that they do not set. @default none */
  readonly defaults?: AgentDefaults | undefined
  /** What all runs may use together. @default unlimited */
  readonly quota?: Quota | undefined
  /**
   * Receives the events of all runs, of `resources`, and of the runtime's own end. The runtime flushes it when it closes, but closes it only if
   * it is one of `resources`. @default none
   */
  readonly bus?: EventSink | undefined
  /**
   * Closed with the runtime, each once, in reverse order; those that report events, before the bus. The runtime closes nothing
   * else. @default none
   */
  readonly resources?: readonly Resource[] | undefined
  /**
   * What `close` does with runs that have not ended in time: cancels them with reason `shutdown`, or suspends them in the
   * store, where any worker may resume them at once. @default 'cancel'
   */
  readonly onClose?: 'cancel' | 'suspend' | undefined
  /** Where journals are kept. @default none: runs cannot be resumed */
  readonly store?: Store | undefined
  /** Name of this process in the store's claims. Must be unique. @default a random id */
  readonly worker?: string | undefined
  /** Whether the process that claimed a run is known to be dead, so that its lease need not expire first. @default never */
  readonly isWorkerGone?: ((worker: string) => boolean) | undefined
  /** Milliseconds that a claim lasts after its worker's last heartbeat. @default 15_000 */
  readonly leaseMs?: number | undefined
  /**
   * Scopes whose unfinished runs this process resumes, as `resumeAll` does: at its start and then every `leaseMs`, so that it
   * takes over the runs of dead processes. @default none
   */
  readonly autoResume?: readonly string[] | undefined
  /** Removes old ended runs, as `prune` does: at the start of this process and then periodically. @default all runs are kept */
  readonly retention?: Retention | undefined
  /**
   * Whether requests to models are shown to readers or kept in the journal. A reader of shown requests sees all instructions
   * and messages. @default 'none'
   */
  readonly captureRequests?: RequestCapture | undefined
  /**
   * Receives failures that code may not see: the error of a tool that threw, because the model receives only its message; and
   * the failure of a run if no code has asked for its `result`, its events or its `textStream` 5 seconds after its end, or when
   * the process ends. Runs that were cancelled or suspended are not failures.
   * @default writes to the standard error stream
   */
  readonly onUnreadFailure?: OnUnreadFailure | undefined
  /** Provides times and timers. @default the machine's clock */
  readonly clock?: Clock | undefined
}

/** How long ended runs are kept, and where old ones are removed. */
export interface Retention {
  /** Milliseconds that an ended run is kept after its last entry. */
  readonly olderThanMs: number
  /** Scopes whose runs are removed. @default ['default'] */
  readonly scopes?: readonly string[] | undefined
  /** Milliseconds between two sweeps. @default 3_600_000 */
  readonly everyMs?: number | undefined
}

/** Options of a call that finds a run by its id. */
export interface ScopeOptions {
  /** The scope to look in. Runs of other scopes are unknown. @default 'default' */
  readonly scope?: string | undefined
}

/** Selects pending approvals. An approval matches if it matches every given field. */
export interface ApprovalQuery extends ScopeOptions {
  readonly sessionId?: string | undefined
  /** Id of a run: selects its approvals and those of the child runs below it. */
  readonly runId?: string | undefined
  /** Selects the approvals that an approver with this role may decide. */
  readonly role?: string | undefined
}

export interface CancelOptions extends ScopeOptions {
  /** Why the run is cancelled; recorded in the journal. @default `{ kind: 'user' }` */
  readonly reason?: CancelReason | undefined
}

/** Options of `runtime.replay`. */
export interface ReplayOptions extends ScopeOptions {
  /** Number of the last entry the reader has seen. @default 0 */
  readonly afterSeq?: number | undefined
  /**
   * Waits for later events until the run has ended, even while it is suspended or moves to another process.
   * @default false
   */
  readonly follow?: boolean | undefined
  /**
   * Also returns ephemeral events, such as pieces of an answer, while this process drives the run. Implies `follow`.
   * @default false
   */
  readonly ephemeral?: boolean | undefined
  /** Aborting it ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `runtime.prune`. */
export interface PruneOptions extends ScopeOptions {
  /** Milliseconds since a run's last entry. */
  readonly olderThanMs: number
}

/** Options of `runtime.decide`. */
export interface DecideOptions extends ResumeOptions {
  /** A `Submission` answers a call that waits for the client, by its `requestId`: see `submitToolResult`. */
  readonly decision: ApprovalDecision | Submission
  /** The approver. Required if the request names roles. */
  readonly by?: Principal | undefined
}

/** Options of `runtime.submitToolResult`. */
export interface SubmitOptions extends ResumeOptions {
  /** The principal who submits the result. @default none */
  readonly by?: Principal | undefined
}

/** Options of `runtime.resume`. */
export interface ResumeOptions extends ScopeOptions {
  /** Claims the run even if a live worker holds it. @default false */
  readonly force?: boolean | undefined
  /** Takes the run's steps. The host then watches the expiry of its approvals. @default this process */
  readonly host?: DurableHost | undefined
  /** `RunOptions.parent` of the run. If it is set, this run is resumed instead of its root run. @default none */
  readonly parent?: ParentRef | undefined
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined
}
