import type { FrameStream } from '@parley/agent-api'
import { TurnoverMap } from '@parley/core'
import { Problem } from '../problem/problem.ts'
import type { KeptStream, ReplayBudget } from './replay-budget.ts'
import type { ServedResponse } from './served-response.ts'

export interface CacheLimits {
  /** Maximum number of ended responses. */
  readonly maxKeptStreams: number
}

interface EndedResponse<TEvent, TResponse> {
  readonly response: ServedResponse<TEvent, TResponse>
  /** Forgets the response in the budget. */
  readonly forget: () => void
}

type Create<TEvent, TResponse> = () => Promise<ServedResponse<TEvent, TResponse>>

/** The responses that a server can serve from memory, by scope and id. */
export class ResponseCache<TEvent, TResponse> {
  readonly #limits: CacheLimits
  readonly #budget: ReplayBudget
  readonly #active = new TurnoverMap<string, ServedResponse<TEvent, TResponse>>()
  /** Ended responses, the newest last. */
  readonly #ended = new TurnoverMap<string, EndedResponse<TEvent, TResponse>>()
  /** Second streams of responses, while they are written. */
  readonly #again = new Map<string, Promise<ServedResponse<TEvent, TResponse>>>()
  /** The runs of the newest responses, also of those that `#ended` no longer has. */
  readonly #runIds = new Map<string, string>()

  /** The cache keeps every active response, and the newest ended ones within the budget. */
  constructor(limits: CacheLimits, budget: ReplayBudget) {
    this.#limits = limits
    this.#budget = budget
  }

  find(scope: string, id: string): ServedResponse<TEvent, TResponse> | undefined {
    const key = keyOf(scope, id)
    return this.#active.get(key) ?? this.#ended.get(key)?.response
  }

  /** Finds the run of a response that this server has written. */
  runIdOf(scope: string, id: string): string | undefined {
    return this.find(scope, id)?.runId ?? this.#runIds.get(keyOf(scope, id))
  }

  /** Checks that an id is free. @throws Problem 409 if an active response has this id. */
  checkFree(scope: string, id: string): void {
    if (this.#active.has(keyOf(scope, id)))
      throw new Problem(409, 'CONFLICT', { message: 'Another response with this id is still being written.' })
  }

  add(response: ServedResponse<TEvent, TResponse>): void {
    const key = keyOf(response.scope, response.id)
    this.#forget(key)
    this.#active.set(key, response)
    void response.ended.finally(() => {
      if (this.#active.get(key) !== response) return
      this.#active.delete(key)
      this.#keep(key, response)
    })
  }

  /**
   * Reads a second stream of a response, with its own event numbers, for readers whose events the first one does not have.
   * The readers share it: the events of a large response are in memory once.
   */
  async readAgain(scope: string, id: string, create: Create<TEvent, TResponse>): Promise<FrameStream> {
    const key = keyOf(scope, id)
    const shared = await this.#again.get(key)
    const frames = shared?.read() ?? (await this.#createAgain(key, create)).read()
    if (frames === undefined) throw new Error('a new stream must have its first event')
    return frames
  }

  /** Removes the ended responses of a run. */
  remove(scope: string, runId: string): void {
    for (const [key, { response }] of this.#ended) {
      if (response.scope === scope && response.runId === runId) this.#forget(key)
    }
    for (const [key, id] of this.#runIds) if (id === runId) this.#runIds.delete(key)
  }

  async #createAgain(key: string, create: Create<TEvent, TResponse>): Promise<ServedResponse<TEvent, TResponse>> {
    const creating = create()
    this.#again.set(key, creating)
    const settle = (response?: ServedResponse<TEvent, TResponse>): void => {
      if (this.#again.get(key) === creating) this.#again.delete(key)
      if (response !== undefined && !this.#active.has(key) && !this.#ended.has(key)) this.#keep(key, response)
    }
    try {
      const response = await creating
      void response.ended.finally(() => settle(response))
      return response
    } catch (error) {
      settle()
      throw error
    }
  }

  #keep(key: string, response: ServedResponse<TEvent, TResponse>): void {
    const { maxKeptStreams } = this.#limits
    const kept = new KeptResponse(response, () => this.#ended.delete(key))
    this.#runIds.delete(key)
    this.#runIds.set(key, response.runId)
    const forget = this.#budget.keep(kept)
    if (!kept.isReleased) this.#ended.set(key, { response, forget })
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= maxKeptStreams || oldest === key) break
      this.#forget(oldest)
    }
    const [first] = this.#runIds.keys()
    if (this.#runIds.size > maxKeptStreams && first !== undefined) this.#runIds.delete(first)
  }

  #forget(key: string): void {
    this.#ended.get(key)?.forget()
    this.#ended.delete(key)
  }
}

/** An ended response, as the budget sees it. */
class KeptResponse implements KeptStream {
  readonly scope: string
  readonly chars: number
  isReleased = false
  readonly #response: KeptStream
  readonly #onRelease: () => void

  constructor(response: KeptStream, onRelease: () => void) {
    this.scope = response.scope
    this.chars = response.chars
    this.#response = response
    this.#onRelease = onRelease
  }

  get readers(): number {
    return this.#response.readers
  }

  release(): void {
    this.isReleased = true
    this.#onRelease()
    this.#response.release()
  }
}

function keyOf(scope: string, id: string): string {
  return JSON.stringify([scope, id])
}
