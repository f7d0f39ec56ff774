import type { ModelRequest } from '@parley/core'
import type { RunScope } from '../run/run-scope.ts'

/** What the model is sent: the only place that decides it. A `final` request offers no tools. */
export function assembleRequest(run: RunScope, final: boolean): ModelRequest {
  const { prepared, state, system, tools } = run
  return {
    system: prepared.output?.instruction === undefined ? system : [...system, prepared.output.instruction],
    messages: state.transcript.toArray(state.contextFrom),
    tools: final ? [] : tools.specs,
    settings: prepared.settings,
  }
}
