import type { ModelRequest } from '@parley/core'
import { viewOf } from '../../journal/overlay.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** The request of the next model call. No other code decides what a model is sent. A `final` request offers no tools. */
export function assembleRequest({ agent, state, prompt, tools }: RunContext, final: boolean): ModelRequest {
  return {
    system: prompt.system,
    messages: viewOf(state),
    tools: final ? [] : tools.specs,
    settings: agent.settings,
  }
}
