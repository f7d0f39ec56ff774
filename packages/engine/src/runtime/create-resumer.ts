import {
  ParleyError,
  toErrorInfo,
  type Clock,
  type Entry,
  type ErrorCode,
  type ErrorInfo,
  type RunRecord,
  type Store,
} from '@parley/core'
import { MOST_RESUMES } from '../loop/stuck-run.ts'
import { endUnreadable } from '../run-context/end-unreadable.ts'
import type { Run } from '../run-context/run-result.ts'
import type { ActiveRuns } from './active-runs.ts'
import { repeat } from './repeat.ts'
import type { ScopeOptions } from './runtime-options.ts'
import { Setbacks } from './setbacks.ts'

/** Which unfinished runs of a scope were resumed. */
export interface ResumedRuns {
  /** The runs that this process resumed. */
  readonly runs: readonly Run[]
  /** The runs that were not resumed, with the reason: for example, another worker drives the run, or its agent is unknown here. */
  readonly left: readonly { readonly runId: string; readonly error: ErrorInfo }[]
}

export interface ResumerParts {
  readonly store: Store | undefined
  readonly active: ActiveRuns
  readonly clock: Clock
  /** This process, in the store's claims. */
  readonly worker: string
  readonly resume: (runId: string, scope: string) => Promise<Run>
}

/** When to resume runs without a call. */
export interface ResumerSchedule {
  readonly scopes: readonly string[]
  readonly everyMs: number
}

/** Resumes runs that no live worker drives: on request, and for some scopes periodically. */
export interface Resumer {
  resumeAll(options?: ScopeOptions): Promise<ResumedRuns>
  /** Stops the periodic sweeps. */
  stop(): void
}

/**
 * Creates a resumer. If a run was interrupted or could not be resumed, sweeps skip it for a time that grows with each
 * failure. A run that cannot be read is ended after some attempts.
 */
export function createResumer(parts: ResumerParts, { scopes, everyMs }: ResumerSchedule): Resumer {
  const setbacks = new Setbacks(parts.clock, everyMs)
  const endings: Endings = new Map()
  const resumeAll = ({ scope = 'default' }: ScopeOptions = {}): Promise<ResumedRuns> =>
    new Sweep(parts, { setbacks, endings }).run(scope, () => true)
  if (scopes.length === 0) return { resumeAll, stop: () => {} }
  const stop = repeat(parts.clock, everyMs, async () => {
    for (const scope of scopes)
      await new Sweep(parts, { setbacks, endings }).run(scope, runId => !setbacks.isResting(runId))
  })
  return { resumeAll, stop }
}

type SuspendedEntry = Extract<Entry, { readonly type: 'run.suspended' }>

/** The last entries of the suspended runs of each scope. Entries never change, so the next sweep need not read them. */
type Endings = Map<string, ReadonlyMap<string, SuspendedEntry>>

/** What sweeps remember. */
interface SweepMemory {
  readonly setbacks: Setbacks
  readonly endings: Endings
}

/** Suspended runs that a sweep reads at the same time. A store in PostgreSQL has 10 connections by default. */
const GROUP = 8

/** One attempt to resume the runs of a scope. */
class Sweep {
  readonly #parts: ResumerParts
  readonly #setbacks: Setbacks
  readonly #endings: Endings
  readonly #runs: Run[] = []
  readonly #left: { readonly runId: string; readonly error: ErrorInfo }[] = []

  constructor(parts: ResumerParts, { setbacks, endings }: SweepMemory) {
    this.#parts = parts
    this.#setbacks = setbacks
    this.#endings = endings
  }

  async run(scope: string, isDue: (runId: string) => boolean): Promise<ResumedRuns> {
    const { store, active } = this.#parts
    const found = store === undefined ? [] : await this.#unfinished(store, scope)
    for (const { runId, relation } of found) {
      // A child run is resumed with its root run.
      if (relation === 'sub-agent' || active.has(runId) || !isDue(runId)) continue
      await this.#try(runId, () => this.#resume(runId, scope))
    }
    return { runs: this.#runs, left: this.#left }
  }

  async #resume(runId: string, scope: string): Promise<void> {
    const run = await this.#parts.resume(runId, scope)
    this.#runs.push(run)
    void run.result.then(({ status }) => {
      if (status === 'interrupted') this.#setbacks.add(runId)
      else this.#setbacks.clear(runId)
    })
  }

  /**
   * Tries to resume a run and records why it was not resumed.
   * @throws ParleyError `runtime-closed`, `store-unavailable`.
   */
  async #try(runId: string, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt()
    } catch (thrown) {
      if (ParleyError.is(thrown, 'runtime-closed') || ParleyError.is(thrown, 'store-unavailable')) throw thrown
      const error = toErrorInfo(thrown)
      this.#left.push({ runId, error })
      if (UNREADABLE.has(error.code)) await this.#endUnreadable(runId, error)
    }
  }

  async #endUnreadable(runId: string, error: ErrorInfo): Promise<void> {
    const { store, clock, worker } = this.#parts
    const attempts = this.#setbacks.add(runId)
    if (store === undefined || attempts <= MOST_RESUMES) return
    try {
      await endUnreadable({ store, clock, worker, runId, error, attempts })
      this.#setbacks.clear(runId)
    } catch {
      // The next attempt tries again.
    }
  }

  /** Runs to resume, oldest first. Starts the expiry timers of runs suspended for approval. */
  async #unfinished(store: Store, scope: string): Promise<readonly RunRecord[]> {
    const list = (status: 'running' | 'suspended'): Promise<readonly RunRecord[]> =>
      store.runs({ scope, status, limit: Number.MAX_SAFE_INTEGER })
    const found = [...(await list('running'))]
    const known = this.#endings.get(scope)
    const endings = new Map<string, SuspendedEntry>()
    const suspended = await list('suspended')
    for (let from = 0; from < suspended.length; from += GROUP) {
      const group = suspended.slice(from, from + GROUP).map(record =>
        this.#try(record.runId, async () => {
          const last = await lastOf(store, record, known?.get(record.runId))
          if (last?.type !== 'run.suspended') return
          endings.set(record.runId, last)
          if (last.reason === 'shutdown' || (await isCommanded(store, record))) found.push(record)
          else if (record.relation !== 'sub-agent') this.#parts.active.watch(record.runId, last)
        }),
      )
      await Promise.all(group)
    }
    this.#endings.set(scope, endings)
    return found.sort((a, b) => a.startedAt - b.startedAt)
  }
}

async function lastOf(
  store: Store,
  { runId, seq }: RunRecord,
  known: SuspendedEntry | undefined,
): Promise<Entry | undefined> {
  return known?.seq === seq ? known : (await store.read(runId, { afterSeq: seq - 1 })).at(-1)
}

/** Codes of a run that no attempt can resume. Other refusals depend on this process or on another worker. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['internal', 'store-corrupt'])

/** Whether a decision or a cancel reached the inbox of a run while a process resumed it and then failed. */
async function isCommanded({ inbox }: Store, { runId }: RunRecord): Promise<boolean> {
  const items = (await inbox?.read(runId)) ?? []
  return items.some(({ command }) => command.type !== 'message')
}
