import { Problem } from '../problem/problem.ts'
import type { ServedResponse } from './served-response.ts'

/** The responses a server can show from memory, by scope and id. */
export class ResponseShelf {
  readonly #responses = new Map<string, ServedResponse>()
  readonly #maxKept: number

  /** `maxKept` ended responses are kept, the newest. */
  constructor(maxKept: number) {
    this.#maxKept = maxKept
  }

  find(scope: string, id: string): ServedResponse | undefined {
    return this.#responses.get(keyOf(scope, id))
  }

  /** @throws Problem 409 when a response of that id is still being written. */
  checkFree(scope: string, id: string): void {
    if (this.find(scope, id)?.log.ended === false)
      throw new Problem(409, 'CONFLICT', { message: 'A response of that id is being written.' })
  }

  put(response: ServedResponse): void {
    const key = keyOf(response.scope, response.id)
    this.#responses.delete(key)
    this.#responses.set(key, response)
    void response.ended.finally(() => this.#evict())
  }

  #evict(): void {
    const ended = [...this.#responses].filter(([, { log }]) => log.ended)
    for (const [key] of ended.slice(0, Math.max(0, ended.length - this.#maxKept))) this.#responses.delete(key)
  }
}

function keyOf(scope: string, id: string): string {
  return JSON.stringify([scope, id])
}
