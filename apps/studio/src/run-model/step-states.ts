import type { Entry } from '@parley/core'

/** How far a step of a workflow is. */
export interface StepState {
  readonly state: 'open' | 'ok' | 'failed'
  /** Number of times the step began: more than once inside `map` and `repeat`. */
  readonly begun: number
  readonly ended: number
}

/** The state of each step of a workflow in a run: its tool calls have the ids of the steps. */
export function toStepStates(entries: readonly Entry[]): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>()
  const change = (callId: string, change: (before: StepState) => StepState): void => {
    const id = stepOf(callId)
    states.set(id, change(states.get(id) ?? { state: 'open', begun: 0, ended: 0 }))
  }
  for (const entry of entries) {
    if (entry.type === 'tool.started' && entry.attempt === 1) {
      change(entry.callId, before => ({ ...before, state: worse(before.state, 'open'), begun: before.begun + 1 }))
    }
    if (entry.type === 'tool.ended') {
      change(entry.callId, before => {
        const ended = before.ended + 1
        const isDone = ended >= before.begun
        const state = entry.error === undefined ? (isDone && before.state !== 'failed' ? 'ok' : before.state) : 'failed'
        return { state, begun: Math.max(before.begun, ended), ended }
      })
    }
  }
  return states
}

function worse(before: StepState['state'], now: StepState['state']): StepState['state'] {
  return before === 'failed' ? before : now
}

/** The id of the step, without the number of the repetition: `each[3]/check` becomes `each/check`. */
function stepOf(callId: string): string {
  return callId.replaceAll(/\[\d+\]/g, '')
}
