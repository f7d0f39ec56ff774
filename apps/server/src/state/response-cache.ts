import { Problem } from '../problem/problem.ts'
import type { ServedResponse } from './served-response.ts'

/** The responses a server can show from memory, by scope and id. */
export class ResponseShelf<TEvent, TAnswer> {
  readonly #writing = new Map<string, ServedResponse<TEvent, TAnswer>>()
  /** Those that have ended, the newest last. */
  readonly #kept = new Map<string, ServedResponse<TEvent, TAnswer>>()
  readonly #maxKept: number

  /** `maxKept` ended responses are kept, the newest. */
  constructor(maxKept: number) {
    this.#maxKept = maxKept
  }

  find(scope: string, id: string): ServedResponse<TEvent, TAnswer> | undefined {
    const key = keyOf(scope, id)
    return this.#writing.get(key) ?? this.#kept.get(key)
  }

  /** @throws Problem 409 when a response of that id is still being written. */
  checkFree(scope: string, id: string): void {
    if (this.#writing.has(keyOf(scope, id)))
      throw new Problem(409, 'CONFLICT', { message: 'A response of that id is being written.' })
  }

  put(response: ServedResponse<TEvent, TAnswer>): void {
    const key = keyOf(response.scope, response.id)
    this.#kept.delete(key)
    this.#writing.set(key, response)
    void response.ended.finally(() => {
      if (this.#writing.get(key) !== response) return
      this.#writing.delete(key)
      this.#keep(key, response)
    })
  }

  /** Forgets the responses of a run that has ended. */
  forget(scope: string, runId: string): void {
    for (const [key, kept] of this.#kept) if (kept.scope === scope && kept.runId === runId) this.#kept.delete(key)
  }

  #keep(key: string, response: ServedResponse<TEvent, TAnswer>): void {
    this.#kept.set(key, response)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#maxKept && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function keyOf(scope: string, id: string): string {
  return JSON.stringify([scope, id])
}
