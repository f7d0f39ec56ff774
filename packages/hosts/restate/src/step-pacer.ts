import type { DurableHost, Ending, Steps } from '@parley/engine'

/** Lets somebody outside take a run's steps, one at a time. */
export class StepPacer implements DurableHost {
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

  /**
   * Takes the next step and makes it durable.
   * @returns The ending, when that was the last.
   * @throws What the driver throws; the run is let go then.
   */
  async take(): Promise<Ending | undefined> {
    const steps = await this.#steps.promise
    try {
      const ending = await steps.take()
      await steps.commit()
      if (ending !== undefined) this.#ending.resolve(ending)
      return ending
    } catch (error) {
      this.#ending.reject(error)
      throw error
    }
  }

  letGo(cause: unknown): void {
    this.#ending.reject(cause)
  }
}
