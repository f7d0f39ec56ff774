import type { Outcome } from '@parley/core'
import type { Suspended } from './run.ts'

/** Nothing is left to do here: the run has ended, or waits for whoever goes on with it. */
export type Ending = Outcome | Suspended

/** What a driver has to do, one step after another. */
export interface Steps {
  /**
   * Does the next thing the run asks for: a model call, the tools of an answer, … Answers with the ending when there is
   * nothing to do after it; undefined when the step is done already. Rejects when the store fails or another worker has the run.
   */
  take(): Promise<Ending | undefined> | undefined
  /** Makes what the last step recorded durable; else the next one does. Undefined when nothing has to be waited for. */
  commit(): Promise<void> | undefined
}

/**
 * Where and when the steps of a run are taken. The journal is the only truth about what they came to: a step that broke
 * off is decided anew by whoever resumes the run, so that a host may repeat what it is not sure of.
 */
export interface DurableHost {
  /**
   * Takes steps until there is an ending, and resolves to that. Rejecting lets the run go: this process writes nothing
   * more of it, its handlers are stopped, and anybody may resume it.
   */
  drive(steps: Steps): Promise<Ending>
}

/** One step after the other, at once, in this process. */
export const inProcess: DurableHost = {
  async drive(steps) {
    for (;;) {
      const taking = steps.take()
      const ending = taking === undefined ? undefined : await taking
      if (ending !== undefined) return ending
    }
  },
}
