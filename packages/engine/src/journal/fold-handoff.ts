import { userMessage, type EntryOf } from '@parley/core'
import { NOT_MEASURED, type ContextState, type NextState } from './run-state.ts'

/** Writes a handoff into the state. */
export function foldHandoff(next: NextState, entry: EntryOf<'agent.changed'>): void {
  const { to, carryContext, task } = entry
  next.agent = to
  next.evaluated = undefined
  next.handoffs = [...next.handoffs, to]
  next.handoff = undefined
  if (!carryContext) next.context = hidden(next.context, next.transcript.length)
  // The counted tokens belong to the former agent's model, instructions and tools.
  next.lastInput = NOT_MEASURED
  if (task !== undefined) next.transcript = next.transcript.append(userMessage(task))
}

/** Hides the transcript before `floor` from the model. */
function hidden(context: ContextState, floor: number): ContextState {
  return { ...context, floor, overlay: { parts: [], messages: [], end: floor } }
}
