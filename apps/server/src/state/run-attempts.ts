import type { RunStatus } from '@parley/core'
import type { RunAttempt } from './run-attempt.ts'

export interface RunAttemptsOptions {
  /** Milliseconds in which an equal request counts as a retry. */
  readonly windowMs: number
  /** Milliseconds since any moment. */
  readonly now: () => number
}

/** An attempt, and until when a request may repeat it. */
interface Kept {
  readonly attempt: RunAttempt
  readonly group: EqualAttempts
  until: number
  /** Whether a later request waits for the answer, so that the next one does not repeat this attempt. */
  taken: boolean
}

/** Attempts that have the same key, oldest first. */
interface EqualAttempts {
  readonly all: Set<Kept>
  /**
   * Those whose client left, or received a failure or a refusal. Many clients may ask the same question and receive their
   * answer. A search through `all` would cost more with each of them.
   */
  readonly lost: Set<Kept>
}

/**
 * Remembers which requests began which runs, so that a client that sends a request again is answered by the same run. With an
 * idempotency key, every later request of the key is a repetition. Clients may ask the same question twice, so without a key an
 * equal request is a repetition only if the earlier client has left without the whole answer or received a failure, or if
 * the client itself says that it retries.
 */
export class RunAttempts {
  readonly #windowMs: number
  readonly #now: () => number
  readonly #groups = new Map<string, EqualAttempts>()
  readonly #keptOf = new Map<RunAttempt, Kept>()
  /** Attempts that can be forgotten at a time, the earliest first. */
  readonly #expiring: { readonly kept: Kept; readonly at: number }[] = []

  constructor({ windowMs, now }: RunAttemptsOptions) {
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Finds the attempt that a request repeats. */
  find(attempt: RunAttempt): RunAttempt | undefined {
    this.#purge()
    const group = this.#groups.get(keyOf(attempt))
    if (group === undefined) return undefined
    if (attempt.runId !== undefined) return firstOf(group.all)?.attempt
    const refused = attempt.isRetry ? firstOf(group.lost, kept => kept.attempt.refused) : undefined
    if (refused !== undefined) {
      // The client retries that request, which began no run.
      this.#forget(refused)
      return undefined
    }
    const kept = firstOf(attempt.isRetry ? group.all : group.lost, each => isRepeatable(each, attempt))
    if (kept !== undefined && !kept.attempt.failed) this.#take(kept, attempt)
    return kept?.attempt
  }

  /** Remembers an attempt until its run has ended, and then for the window. */
  add(attempt: RunAttempt): void {
    if (attempt.runId === undefined && this.#windowMs === 0) return
    const key = keyOf(attempt)
    const group = this.#groups.get(key) ?? { all: new Set(), lost: new Set() }
    const kept: Kept = { attempt, group, until: Infinity, taken: false }
    this.#groups.set(key, group)
    group.all.add(kept)
    this.#keptOf.set(attempt, kept)
    attempt.onLeave(() => this.#lose(kept))
    const markLost = (): void => this.#markLost(kept)
    attempt.onFail = markLost
    void attempt.begun.then(run => {
      if (run !== undefined) return
      if (attempt.runId === undefined) this.#lose(kept)
      else this.#forget(kept)
    })
  }

  /** Tells how the run of an attempt ended. A cancelled run is not repeated: its client stopped it. */
  end(attempt: RunAttempt, status: RunStatus | 'interrupted'): void {
    if (status === 'failed') attempt.fail()
    const kept = this.#keptOf.get(attempt)
    if (kept === undefined) return
    if (status === 'cancelled' && attempt.runId === undefined) this.#forget(kept)
    else this.#expire(kept)
  }

  /** Forgets an attempt, so that no request repeats it. */
  forget(attempt: RunAttempt): void {
    const kept = this.#keptOf.get(attempt)
    if (kept !== undefined) this.#forget(kept)
  }

  #take(kept: Kept, by: RunAttempt): void {
    kept.taken = true
    kept.group.lost.delete(kept)
    by.onLeave(() => {
      kept.taken = false
      this.#lose(kept)
    })
  }

  #lose(kept: Kept): void {
    this.#markLost(kept)
    this.#expire(kept)
  }

  #markLost(kept: Kept): void {
    // A cancelled run is forgotten, and its stream may tell the failure only then.
    if (this.#keptOf.has(kept.attempt)) kept.group.lost.add(kept)
  }

  #expire(kept: Kept): void {
    kept.until = this.#now() + this.#windowMs
    this.#expiring.push({ kept, at: kept.until })
  }

  #purge(): void {
    const now = this.#now()
    for (let [first] = this.#expiring; first !== undefined && first.at <= now; [first] = this.#expiring) {
      this.#expiring.shift()
      if (first.kept.until === first.at) this.#forget(first.kept)
    }
  }

  #forget(kept: Kept): void {
    const { attempt, group } = kept
    this.#keptOf.delete(attempt)
    group.all.delete(kept)
    group.lost.delete(kept)
    const key = keyOf(attempt)
    if (group.all.size === 0 && this.#groups.get(key) === group) this.#groups.delete(key)
  }
}

function firstOf(all: Iterable<Kept>, accepts: (kept: Kept) => boolean = () => true): Kept | undefined {
  for (const kept of all) if (accepts(kept)) return kept
  return undefined
}

function isRepeatable({ attempt, taken }: Kept, { isRetry }: RunAttempt): boolean {
  if (attempt.run === undefined) return false
  return attempt.failed || (!taken && (isRetry || attempt.left.aborted))
}

function keyOf({ runId, hash }: RunAttempt): string {
  return runId ?? hash
}
