import type { MiddlewareStages, RunFacts, Usage } from '@parley/core'
import type { Hooks } from './hook-signatures.ts'

/** What the event stage observes for the turn stage. */
export interface RunWatch {
  /** Usage of this turn's model call. */
  usage: Usage
}

/** Creates the event stage that calls the hooks which only observe. */
export function watchEvents(given: Hooks, run: RunFacts, watch: RunWatch): NonNullable<MiddlewareStages['event']> {
  return event => {
    const { type } = event
    if (type === 'model.called' || type === 'model.failed') watch.usage = event.usage
    else if (type === 'tool.progress') {
      given.onProgress?.({ callId: event.callId, name: event.name, update: event.update })
    } else if (type === 'context.compacting') given.onCompacting?.(event.messages)
    else if (type === 'context.compacted') given.afterCompaction?.(event.before.messages, event.after.messages)
    else if (type === 'run.ended') {
      given.afterRun?.(run, { outcome: event.outcome, usage: event.usage, cost: event.cost })
      given.afterSession?.(run)
    }
  }
}
