import type { CallNews, DurableHost, Ending, LeftCall, OpenCall, Steps } from '@parley/engine'

/** Lets somebody outside take a run's steps, one at a time, and between them run its calls. */
export class StepPacer implements DurableHost {
  readonly runsCalls = true
  readonly runsChildren = true
  readonly #steps = Promise.withResolvers<Steps>()
  readonly #ending = Promise.withResolvers<Ending>()

  constructor() {
    // Nobody may be driving yet when it is let go.
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

  /** Calls that are to be run before the next step, in batches. */
  async openCalls(): Promise<readonly (readonly OpenCall[])[] | undefined> {
    return (await this.#steps.promise).openCalls()
  }

  /**
   * Takes the next step and makes it durable.
   * @returns The ending, when that was the last.
   * @throws What the driver throws; the run is let go then.
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
   * Runs a call and makes what came of it durable.
   * @throws What the driver throws; the run is let go then.
   */
  call(callId: string, news: CallNews): Promise<LeftCall | undefined> {
    return this.#during(steps => steps.call(callId, news))
  }

  /** Notes that a sub-agent waits for a person. Throws as `call`. */
  childAsks(runId: string): Promise<void> {
    return this.#during(steps => steps.childAsks(runId))
  }

  /** Makes durable what was recorded when the run was opened. Throws as `call`. */
  commit(): Promise<void> {
    return this.#during(async steps => steps.commit())
  }

  /** Whether every open call waits for a person. */
  async waits(): Promise<boolean> {
    return (await this.#steps.promise).waits
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

  letGo(cause: unknown): void {
    this.#ending.reject(cause)
  }
}
