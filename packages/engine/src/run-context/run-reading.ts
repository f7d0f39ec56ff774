import type { Cost, Json, RunEvent, Usage } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'
import type { RunContext } from './run-context.ts'
import { completedOrThrow } from './run-failed-error.ts'
import type { CompletedRun, RunResult } from './run-result.ts'
import { textStream } from './feed/text-stream.ts'

/** The readable side of a run that this process drives: its result, events and text. */
export abstract class RunReading {
  readonly runId: string
  /** The result, for the runtime. It does not count as read. */
  readonly settled: Promise<RunResult>
  /** Whether a user has asked for the result or for events. */
  isRead = false
  readonly #run: Pick<RunContext, 'facts' | 'feed' | 'state'>

  constructor(run: Pick<RunContext, 'facts' | 'feed' | 'state'>, settled: Promise<RunResult>) {
    this.#run = run
    this.runId = run.facts.runId
    this.settled = settled
  }

  get result(): Promise<RunResult> {
    this.isRead = true
    return this.settled
  }

  async orThrow(): Promise<CompletedRun> {
    return completedOrThrow(await this.result)
  }

  get textStream(): AsyncIterable<string> {
    return textStream(this)
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
    this.isRead = true
    return this.#run.feed.read()
  }
}
