/** Lets the messages of a session begin their runs one after the other, in the order of their requests. */
export class SessionTurns {
  /** Settles when the last message of the session has begun its run. */
  readonly #last = new Map<string, Promise<void>>()

  /** Calls `begin` when the earlier messages of the session have begun their runs or were refused. */
  async take<TResult>(scope: string, sessionId: string, begin: () => Promise<TResult>): Promise<TResult> {
    const key = JSON.stringify([scope, sessionId])
    const before = this.#last.get(key)
    const turn = Promise.withResolvers<void>()
    this.#last.set(key, turn.promise)
    try {
      await before
      return await begin()
    } finally {
      turn.resolve()
      if (this.#last.get(key) === turn.promise) this.#last.delete(key)
    }
  }
}
