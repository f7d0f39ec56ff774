import { Problem } from '../problem/problem.ts'
import type { ServedResponse } from './served-response.ts'

/** The responses that a server can serve from memory, by scope and id. */
export class ResponseCache<TEvent, TResponse> {
  readonly #active = new Map<string, ServedResponse<TEvent, TResponse>>()
  /** Ended responses, the newest last. */
  readonly #ended = new Map<string, ServedResponse<TEvent, TResponse>>()
  readonly #maxEnded: number

  /** The cache keeps every active response and the `maxEnded` newest ended ones. */
  constructor(maxEnded: number) {
    this.#maxEnded = maxEnded
  }

  find(scope: string, id: string): ServedResponse<TEvent, TResponse> | undefined {
    const key = keyOf(scope, id)
    return this.#active.get(key) ?? this.#ended.get(key)
  }

  /** Checks that an id is free. @throws Problem 409 if an active response has this id. */
  checkFree(scope: string, id: string): void {
    if (this.#active.has(keyOf(scope, id)))
      throw new Problem(409, 'CONFLICT', { message: 'Another response with this id is still being written.' })
  }

  add(response: ServedResponse<TEvent, TResponse>): void {
    const key = keyOf(response.scope, response.id)
    this.#ended.delete(key)
    this.#active.set(key, response)
    void response.ended.finally(() => {
      if (this.#active.get(key) !== response) return
      this.#active.delete(key)
      this.#keep(key, response)
    })
  }

  /** Removes the ended responses of a run. */
  remove(scope: string, runId: string): void {
    for (const [key, ended] of this.#ended) if (ended.scope === scope && ended.runId === runId) this.#ended.delete(key)
  }

  #keep(key: string, response: ServedResponse<TEvent, TResponse>): void {
    this.#ended.set(key, response)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > this.#maxEnded && oldest !== undefined) this.#ended.delete(oldest)
  }
}

function keyOf(scope: string, id: string): string {
  return JSON.stringify([scope, id])
}
