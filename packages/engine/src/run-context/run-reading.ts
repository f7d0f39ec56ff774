import type { Cost, Json, RunEvent, Usage } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'
import type { RunContext } from './run-context.ts'

/** What a user reads of a run that this process drives. */
export abstract class RunReading {
  readonly runId: string
  readonly #run: Pick<RunContext, 'facts' | 'feed' | 'state'>

  constructor(run: Pick<RunContext, 'facts' | 'feed' | 'state'>) {
    this.#run = run
    this.runId = run.facts.runId
  }

  get sessionId(): string {
    return this.#run.facts.sessionId
  }

  get scope(): string {
    return this.#run.facts.scope
  }

  get state(): RunState {
    return this.#run.state
  }

  get usage(): Usage {
    return this.#run.state.usage
  }

  get cost(): Cost | undefined {
    return this.#run.state.cost
  }

  get turns(): number {
    return this.#run.state.turn
  }

  get accepted(): Json | undefined {
    return this.#run.state.output?.value
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    return this.#run.feed.read()
  }
}
