import { userMessage, type EntryOf } from '@parley/core'
import type { ContextState, RunState } from './run-state.ts'

/** Returns the changes of the state after a handoff. */
export function evolveHandoff(state: RunState, entry: EntryOf<'agent.changed'>): Partial<RunState> {
  const { to, carryContext, task } = entry
  const { transcript, context } = state
  return {
    agent: to,
    handoffs: [...state.handoffs, to],
    handoff: undefined,
    context: carryContext ? context : hidden(context, transcript.length),
    // The counted tokens belong to the former agent's model, instructions and tools.
    lastInput: { tokens: 0, length: 0 },
    transcript: task === undefined ? transcript : transcript.append(userMessage(task)),
  }
}

/** Hides the transcript before `floor` from the model. */
function hidden(context: ContextState, floor: number): ContextState {
  return { ...context, floor, overlay: { parts: [], messages: [], end: floor } }
}
