/** Other scopes that a server remembers. Each one costs a query of the store whenever it looks for runs of dead processes. */
const MOST_LEARNED = 1_000

/**
 * The scopes whose runs a server resumes: its own, and those of the clients that used it last. A token can name any scope, so a
 * server learns the scopes of tokens from its clients.
 */
export class RecoverableScopes implements Iterable<string> {
  readonly #own: ReadonlySet<string>
  /** Ordered by last use, newest last. */
  readonly #learned = new Set<string>()

  constructor(own: Iterable<string>) {
    this.#own = new Set(own)
  }

  /** Remembers the scope of a client. */
  add(scope: string): void {
    if (this.#own.has(scope)) return
    this.#learned.delete(scope)
    this.#learned.add(scope)
    const [oldest] = this.#learned
    if (this.#learned.size > MOST_LEARNED && oldest !== undefined) this.#learned.delete(oldest)
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* this.#own
    // A client can add its scope while a search is under way.
    yield* Array.from(this.#learned)
  }
}
