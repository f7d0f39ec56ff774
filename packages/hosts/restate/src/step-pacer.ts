import type { CallUpdate, DurableHost, Ending, PendingCall, OpenCall, Steps } from '@parley/engine/host'

/** A durable host that takes a run's steps one by one, when its owner asks for them, and runs tool calls between them. */
export class StepPacer implements DurableHost {
  readonly runsChildren = true
  readonly #steps = Promise.withResolvers<Steps>()
  readonly #ending = Promise.withResolvers<Ending>()

  constructor() {
    // The run may be released before `drive` returns this promise to the driver.
    this.#ending.promise.catch(() => {})
  }

  drive(steps: Steps): Promise<Ending> {
    this.#steps.resolve(steps)
    return this.#ending.promise
  }

  /** Resolves when the run can take steps. */
  async ready(): Promise<void> {
    await this.#steps.promise
  }

  /** Returns the tool calls to run before the next step, in batches. `undefined` if the next step needs no calls. */
  async openCalls(): Promise<readonly (readonly OpenCall[])[] | undefined> {
    return (await this.#steps.promise).openCalls()
  }

  /**
   * Takes the next step and makes it durable.
   * @returns The ending, if the step was the last one.
   * @throws What the driver throws. The run is released then.
   */
  take(): Promise<Ending | undefined> {
    return this.#during(async steps => {
      const ending = await steps.take()
      await steps.commit()
      if (ending !== undefined) this.#ending.resolve(ending)
      return ending
    })
  }

  /**
   * Runs a tool call and makes its result durable.
   * @throws What the driver throws. The run is released then.
   */
  call(callId: string, news: CallUpdate): Promise<PendingCall | undefined> {
    return this.#during(steps => steps.call(callId, news))
  }

  /** Records that a child run is suspended for approval. Throws what `call` throws. */
  childSuspended(runId: string): Promise<void> {
    return this.#during(steps => steps.childSuspended(runId))
  }

  /** Makes durable what was recorded when the run was opened. Throws what `call` throws. */
  commit(): Promise<void> {
    return this.#during(async steps => steps.commit())
  }

  /** Whether every open call is suspended for approval. */
  async waits(): Promise<boolean> {
    return (await this.#steps.promise).isWaiting
  }

  async #during<TValue>(work: (steps: Steps) => Promise<TValue>): Promise<TValue> {
    const steps = await this.#steps.promise
    try {
      return await work(steps)
    } catch (error) {
      this.#ending.reject(error)
      throw error
    }
  }

  /** Ends `drive` with this error, so that the driver stops. */
  release(cause: unknown): void {
    this.#ending.reject(cause)
  }
}
