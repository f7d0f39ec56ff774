import type { Outcome, RunFacts } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'
import { answerText } from '../journal/answer-text.ts'
import type { Interrupted, RunResult, Suspended } from './run.ts'

export interface Ended {
  readonly ending: Outcome | Suspended | Interrupted
  readonly output?: unknown
}

/** What a run has come to, in the state its journal adds up to. */
export function toRunResult(
  { runId, sessionId }: Pick<RunFacts, 'runId' | 'sessionId'>,
  state: RunState,
  { ending, output }: Ended,
): RunResult {
  const messages = state.transcript.toArray()
  // An answer whose calls are still open belongs to the run that goes on, not to what another could start from.
  if (state.calls !== undefined) messages.pop()
  const { agent, usage, cost, turn: turns } = state
  return {
    ...(ending.status === 'completed' ? { ...ending, output } : ending),
    runId,
    sessionId,
    agent,
    messages,
    // What the session said before is no answer of this run.
    text: state.finish === undefined ? '' : answerText(messages, state.continued),
    usage,
    cost,
    turns,
  }
}
