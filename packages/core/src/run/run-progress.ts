import type { Message } from '../schema/message.ts'
import type { Cost, Usage } from '../schema/usage.ts'

/** What a run has done so far. Each field has the current value when it is read. */
export interface RunProgress {
  /** The transcript. Each read makes a new list, so that the run does not notice changes of it. */
  readonly messages: readonly Message[]
  /** The messages of this run: those of `messages` without its history. A new list, like `messages`. */
  readonly newMessages: readonly Message[]
  /** Usage of the model calls that have ended, including those of child runs. */
  readonly usage: Usage
  /** Cost of that usage. `undefined` if no price is known. */
  readonly cost: Cost | undefined
  /** Number of model calls. */
  readonly turns: number
  /** Number of the session's runs whose transcript this run continues, itself included. 1 in a new session. */
  readonly runs: number
}
