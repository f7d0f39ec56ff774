import type { ModelRequest } from '@parley/core'
import { viewOf } from '../../journal/overlay.ts'
import type { RunScope } from '../../run-context/run-scope.ts'

/** What the model is sent: the only place that decides it. A `final` request offers no tools. */
export function assembleRequest(run: RunScope, final: boolean): ModelRequest {
  const { prepared, state, system, tools } = run
  return {
    system,
    messages: viewOf(state),
    tools: final ? [] : tools.specs,
    settings: prepared.settings,
  }
}
