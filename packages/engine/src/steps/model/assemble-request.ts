import type { ModelRequest, ToolChoice } from '@parley/core'
import { borrowedView, viewOf } from '../../journal/overlay.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** The request of the next model call. No other code decides what a model is sent. A `final` request offers no tools. */
export function assembleRequest(run: RunContext, final: boolean): ModelRequest {
  const { agent, state, prompt, tools } = run
  const { settings } = agent
  const request = {
    system: prompt.system,
    messages: mayBorrow(run) ? borrowedView(state) : viewOf(state),
    tools: final ? [] : tools.specs,
    settings,
  }
  if (settings.toolChoice === undefined || final) return request
  return { ...request, toolChoice: choiceNow(run, settings.toolChoice) }
}

/**
 * Whether only the model reads the messages, and only until it has answered. A copy for each turn would make long runs slow (bench:
 * tricks borrowed-messages).
 */
function mayBorrow({ agent, middleware, prompt }: RunContext): boolean {
  return agent.definition.model.borrowsMessages === true && middleware.model === undefined && prompt.captures === 'none'
}

/**
 * Returns the tool choice of the next call. After the first call the model is free: if each of its answers had to be a
 * call, the run would never end.
 */
function choiceNow({ state }: RunContext, choice: ToolChoice): ToolChoice {
  return choice === 'none' || state.turn === 0 ? choice : 'auto'
}
