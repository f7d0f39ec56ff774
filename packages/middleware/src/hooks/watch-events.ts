import type { Cost, Message, MiddlewareStages, Outcome, RunEventOf, RunFacts, RunProgress, Usage } from '@parley/core'
import type { Hooks, RunEnd } from './hook-signatures.ts'
import { toSession } from './to-session.ts'
import { watchFailures, type ThrownHooks } from './watch-failures.ts'

/** Facts about a run that the event stage collects for the turn stage. */
export interface RunWatch {
  /** Usage of this turn's model call. */
  usage: Usage
  readonly progress: RunProgress
  /** Which hooks threw. */
  readonly thrown: ThrownHooks
}

/** Creates the event stage that calls the hooks which only observe. */
export function watchEvents(given: Hooks, run: RunFacts, watch: RunWatch): NonNullable<MiddlewareStages['event']> {
  const { onFailure } = given
  const fail = onFailure && watchFailures(watch.thrown, failure => onFailure(failure, run))
  return event => {
    const { type } = event
    fail?.(event)
    if (type === 'model.called' || type === 'model.failed') watch.usage = event.usage
    else if (type === 'tool.progress') {
      given.onProgress?.({ callId: event.callId, name: event.name, update: event.update })
    } else if (type === 'context.compacting') given.onCompacting?.(event.messages)
    else if (type === 'context.compacted') {
      const { before, after } = event
      // The engine counts tokens whenever a middleware receives the entry.
      given.afterCompaction?.(before.messages, after.messages, before.tokens ?? 0, after.tokens ?? 0)
    } else if (type === 'run.ended') {
      given.afterRun?.(run, new EndedRun(event, watch.progress))
      given.afterSession?.(run, toSession(run, watch.progress))
    }
  }
}

class EndedRun implements RunEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly #progress: RunProgress

  constructor({ outcome, usage, cost }: RunEventOf<'run.ended'>, progress: RunProgress) {
    this.outcome = outcome
    this.usage = usage
    this.cost = cost
    this.#progress = progress
  }

  get messages(): readonly Message[] {
    return this.#progress.messages
  }

  get newMessages(): readonly Message[] {
    return this.#progress.newMessages
  }
}
