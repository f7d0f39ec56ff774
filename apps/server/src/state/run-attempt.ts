/** A run that a request began or continued. */
export interface BegunRun {
  readonly runId: string
  /** Number of the first entry of the answer. */
  readonly fromSeq: number
}

export interface RunAttemptOptions {
  /** Hash of the client, the address and the body. Equal requests have the same hash. */
  readonly hash: string
  /** Id of the run, derived from the header `Idempotency-Key`. @default the request has no key */
  readonly runId?: string | undefined
  /** Whether the client says that it has sent the request before. @default false */
  readonly isRetry?: boolean | undefined
}

/** One request that begins a run. Its client may leave, or send the request again. */
export class RunAttempt {
  readonly hash: string
  readonly runId: string | undefined
  readonly isRetry: boolean
  /** Resolves with the run, or with `undefined` if the request was refused before a run began. */
  readonly begun: Promise<BegunRun | undefined>
  /** The run, as soon as it has begun. */
  run: BegunRun | undefined
  /** Whether the client received a failure: see `fail`. */
  failed = false
  /** Whether the request was refused before a run began. */
  refused = false
  /** Called by `fail`. */
  onFail = (): void => {}
  readonly #left = new AbortController()
  readonly #settle: (run: BegunRun | undefined) => void
  #released = false
  #listeners: (() => void)[] = []

  constructor({ hash, runId, isRetry = false }: RunAttemptOptions) {
    this.hash = hash
    this.runId = runId
    this.isRetry = isRetry
    const begun = Promise.withResolvers<BegunRun | undefined>()
    this.begun = begun.promise
    this.#settle = begun.resolve
  }

  /** Aborted when the client disconnects before it has the whole answer. */
  get left(): AbortSignal {
    return this.#left.signal
  }

  /** Marks the begin of the run. */
  begin(run: BegunRun): void {
    this.run = run
    this.#settle(run)
  }

  /** Marks that no run begins, unless one has begun. */
  settle(): void {
    this.refused = this.run === undefined
    this.#settle(this.run)
  }

  /** The server ends the stream itself. That the connection closes then does not mean that the client left. */
  release(): void {
    this.#released = true
  }

  /** Notes that the client has disconnected. */
  leave(): void {
    if (this.#released || this.left.aborted) return
    this.#left.abort()
    for (const listener of this.#listeners.splice(0)) listener()
  }

  /** Calls `listener` once when the client leaves, or at once if it has left. */
  onLeave(listener: () => void): void {
    if (this.left.aborted) listener()
    else this.#listeners.push(listener)
  }

  /** Notes that the client receives a failure. */
  fail(): void {
    this.failed = true
    this.onFail()
  }
}
