/** A turn within the middleware whose tools somebody else runs: it stops before them, and goes on when they are done. */
export class HeldTurn {
  readonly #ending: Promise<void>
  #stopping = Promise.withResolvers<void>()
  #tools = Promise.withResolvers<void>()
  #over = false

  /** `begin` calls what it is given wherever tools are to be run, and waits for that. */
  constructor(begin: (tools: () => Promise<void>) => Promise<void>) {
    this.#ending = begin(() => this.#stop()).finally(() => {
      this.#over = true
    })
    // It is told to whoever waits for the turn; nobody may when it is let go.
    this.#ending.catch(() => {})
  }

  get over(): boolean {
    return this.#over
  }

  /** Resolves when there are tools to be run, or the turn is over. Rejects with what broke it. */
  untilTools(): Promise<void> {
    return Promise.race([this.#stopping.promise, this.#ending])
  }

  /** Lets it go on after its tools; resolves as `untilTools`. */
  goOn(): Promise<void> {
    const tools = this.#tools
    this.#stopping = Promise.withResolvers()
    this.#tools = Promise.withResolvers()
    tools.resolve()
    return this.untilTools()
  }

  /** Its tools are run by nobody here any more: what the middleware has begun is ended. */
  letGo(cause: unknown): void {
    this.#tools.promise.catch(() => {})
    this.#tools.reject(cause)
  }

  #stop(): Promise<void> {
    this.#stopping.resolve()
    return this.#tools.promise
  }
}
