import type {
  ApprovalDecision,
  CancelReason,
  Clock,
  EventSink,
  Model,
  ModelProvider,
  Principal,
  Store,
  Tool,
  ToolSource,
} from '@parley/core'
import type { Agent } from '../agent/agent.ts'
import type { AgentDefaults } from '../agent/agent-defaults.ts'
import type { Quota } from '../agent/quota/quota.ts'
import type { DurableHost } from '../loop/durable-host.ts'
import type { ParentRef } from '../run-context/children/parent-ref.ts'
import type { RequestCapture } from '../run-context/request-capture.ts'
import type { Resource } from './close-resources.ts'

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
