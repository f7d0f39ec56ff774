import type {
  ApprovalDecision,
  Clock,
  Json,
  Message,
  Principal,
  RunQuery,
  RunRecord,
  Store,
  UserMessage,
} from '@parley/core'
import type { Agent } from './agent.ts'
import type { Run } from '../run/run.ts'

/** Runs agents. One per process is enough; runs share nothing but what they are given. */
export interface Runtime extends AsyncDisposable {
  /**
   * Starts a run at once and hands it over.
   * @throws ParleyError `agent-unknown`, `runtime-closed`, `config-invalid` for `variables` the agent's instructions do not
   * know or still need, and for an agent given whole what `defineAgent` throws.
   */
  run<TOutput = unknown>(
    agent: string | Agent<TOutput>,
    input: string | UserMessage,
    options?: RunOptions,
  ): Run<TOutput>
  /**
   * Goes on with a run that another process left unfinished. Finished tool calls are not run again. For a sub-agent's run
   * it is the outermost caller's that is gone on with and handed over.
   * @throws ParleyError `run-unknown`, `run-ended`, `run-busy`, `agent-unknown`, `store-…`.
   */
  resume(runId: string, options?: ResumeOptions): Promise<Run>
  /**
   * Decides about a call that waits for approval, and goes on with its run. The decision counts once, and is written
   * together with the start of the call it allows. A sub-agent's call is decided by the id of its own run or of any caller's;
   * the outermost run goes on.
   * @throws ParleyError `approval-unknown`, `approval-decided`, `approval-forbidden` when none of `by`'s roles may decide, and what
   * `resume` throws.
   */
  decide(runId: string, approvalId: string, options: DecideOptions): Promise<Run>
  /** The runs in the store, newest first; none without a store. */
  runs(query?: Partial<RunQuery>): Promise<readonly RunRecord[]>
  /** Lets the runs end until `drainMs` have passed, then cancels them with reason `shutdown`. Idempotent. */
  close(options?: { readonly drainMs?: number | undefined }): Promise<void>
}

export interface RuntimeOptions {
  readonly agents?: readonly Agent[] | undefined
  /** Where runs are journaled. @default none: nothing is kept, nothing can be resumed */
  readonly store?: Store | undefined
  /** This process, in the store's claims. @default a random id */
  readonly worker?: string | undefined
  /** Whether the process that once claimed a run is known to be gone, so that its claim need not lapse first. @default never */
  readonly isWorkerGone?: ((worker: string) => boolean) | undefined
  /** How long a claim outlives its worker's last heartbeat. @default 15_000 */
  readonly leaseMs?: number | undefined
  /** @default the machine's */
  readonly clock?: Clock | undefined
}

export interface RunOptions {
  /** Goes on from the session's last run, when the store has one. @default a new session */
  readonly sessionId?: string | undefined
  /** Messages that precede the input; repaired when they are no valid transcript. @default none */
  readonly history?: readonly Message[] | undefined
  /** On whose behalf the run acts. @default nobody's */
  readonly principal?: Principal | undefined
  /** Values for the templates among the agent's instructions, by name. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** Kept in the journal's first entry, for whoever reads it. @default none */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
  /** @default 'default' */
  readonly scope?: string | undefined
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined
}

export interface DecideOptions extends ResumeOptions {
  readonly decision: ApprovalDecision
  /** Who decides; needed where the request names roles. */
  readonly by?: Principal | undefined
}

export interface ResumeOptions {
  /** Take the run from a worker that seems alive. @default false */
  readonly force?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}
