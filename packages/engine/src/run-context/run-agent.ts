import type { Limits, ModelSettings } from '@parley/core'
import { withClientTools, type ClientTools } from '../agent/tools/client-tools.ts'
import { withSettings, type PreparedAgent, type RunPolicy } from '../agent/prepare-agent.ts'
import type { SpendingRun } from './children/delegations.ts'
import type { ParentCall } from './children/parent-call.ts'
import { shareLimits } from './children/share-limits.ts'
import { SpentOfRuns, type LimitedRun } from './children/spent-of-runs.ts'

export interface RunAgentOptions {
  /** The agent that the run begins with. */
  readonly agent: PreparedAgent
  /** Settings of the run, over those of its agents. */
  readonly settings: ModelSettings | undefined
  /** Tools that the client executes. */
  readonly clientTools: ClientTools | undefined
  readonly run: SpendingRun
  /** Set for a child run. */
  readonly parent: ParentCall | undefined
}

/** The agent that answers now, with the run's own settings and within its limits. */
export class RunAgent implements LimitedRun {
  current: PreparedAgent
  readonly #first: PreparedAgent
  readonly #settings: ModelSettings | undefined
  readonly #clientTools: ClientTools | undefined
  readonly #run: SpendingRun
  readonly #parent: ParentCall | undefined
  #policy: RunPolicy

  constructor({ agent, settings, clientTools, run, parent }: RunAgentOptions) {
    this.current = agent
    this.#first = agent
    this.#settings = settings
    this.#clientTools = clientTools
    this.#run = run
    this.#parent = parent
    this.#policy = agent.policy
  }

  /** Makes another agent answer. The limits of the first agent stay in force. */
  switch(agent: PreparedAgent): void {
    const { limits, onLimit } = this.#first.policy
    const configured = this.#settings === undefined ? agent : withSettings(agent, this.#settings)
    this.current = this.#clientTools === undefined ? configured : withClientTools(configured, this.#clientTools)
    this.#policy = agent === this.#first ? agent.policy : { ...agent.policy, limits, onLimit }
  }

  /**
   * The policy with the current limits. Those of a child run are computed at each call, because its parent run may have
   * used more.
   */
  get policy(): RunPolicy {
    if (this.#parent === undefined) return this.#policy
    return { ...this.#policy, limits: this.limitsWith(new SpentOfRuns()) }
  }

  /** Returns the current limits. @param spent Sums of the same moment. */
  limitsWith(spent: SpentOfRuns): Limits {
    const { limits } = this.#policy
    return this.#parent === undefined ? limits : shareLimits(limits, { child: this.#run, spent }, this.#parent)
  }
}
