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
  until: number
  /** Whether a later request waits for the answer, so that the next one does not repeat this attempt. */
  taken: boolean
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
  readonly #kept = new Map<string, Set<Kept>>()
  /** Attempts that can be forgotten at a time, the earliest first. */
  readonly #expiring: { readonly kept: Kept; readonly at: number }[] = []

  constructor({ windowMs, now }: RunAttemptsOptions) {
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Finds the attempt that a request repeats. */
  find(attempt: RunAttempt): RunAttempt | undefined {
    this.#purge()
    const all = [...(this.#kept.get(keyOf(attempt)) ?? [])]
    if (attempt.runId !== undefined) return all[0]?.attempt
    const refused = attempt.isRetry ? all.find(kept => kept.attempt.refused) : undefined
    if (refused !== undefined) {
      // The client retries that request, which began no run.
      this.#forget(refused)
      return undefined
    }
    const kept = all.find(each => isRepeatable(each, attempt))
    if (kept !== undefined && !kept.attempt.failed) this.#take(kept, attempt)
    return kept?.attempt
  }

  /** Remembers an attempt until its run has ended, and then for the window. */
  add(attempt: RunAttempt): void {
    if (attempt.runId === undefined && this.#windowMs === 0) return
    const kept: Kept = { attempt, until: Infinity, taken: false }
    const key = keyOf(attempt)
    const all = this.#kept.get(key) ?? new Set()
    this.#kept.set(key, all.add(kept))
    attempt.onLeave(() => this.#expire(kept))
    void attempt.begun.then(run => {
      if (run !== undefined) return
      if (attempt.runId === undefined) this.#expire(kept)
      else this.#forget(kept)
    })
  }

  /** Tells how the run of an attempt ended. A cancelled run is not repeated: its client stopped it. */
  end(attempt: RunAttempt, status: RunStatus | 'interrupted'): void {
    if (status === 'failed') attempt.failed = true
    for (const kept of this.#kept.get(keyOf(attempt)) ?? []) {
      if (kept.attempt !== attempt) continue
      if (status === 'cancelled' && attempt.runId === undefined) this.#forget(kept)
      else this.#expire(kept)
    }
  }

  /** Forgets an attempt, so that no request repeats it. */
  forget(attempt: RunAttempt): void {
    for (const kept of this.#kept.get(keyOf(attempt)) ?? []) if (kept.attempt === attempt) this.#forget(kept)
  }

  #take(kept: Kept, by: RunAttempt): void {
    kept.taken = true
    by.onLeave(() => {
      kept.taken = false
      this.#expire(kept)
    })
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
    const key = keyOf(kept.attempt)
    const all = this.#kept.get(key)
    all?.delete(kept)
    if (all?.size === 0) this.#kept.delete(key)
  }
}

function isRepeatable({ attempt, taken }: Kept, { isRetry }: RunAttempt): boolean {
  if (attempt.run === undefined) return false
  return attempt.failed || (!taken && (isRetry || attempt.left.aborted))
}

function keyOf({ runId, hash }: RunAttempt): string {
  return runId ?? hash
}
