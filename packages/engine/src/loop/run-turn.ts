import { ParleyError, type Turn } from '@parley/core'
import { decide, type Action } from '../journal/decide.ts'
import { perform } from './perform.ts'
import type { Onion, RunScope } from '../run-context/run-scope.ts'

export interface TurnToRun {
  readonly aroundTurn: Onion<Turn, Promise<void>>
  readonly action: Extract<Action, { type: 'call-model' }>
  /** Has the open calls run by somebody else. @default they are run here */
  readonly runTools?: (() => Promise<void>) | undefined
}

/** One turn within the middleware: the model call, and the tools it asks for. */
export async function runTurn(run: RunScope, { aroundTurn, action, runTools }: TurnToRun): Promise<void> {
  let begun = false
  const innermost = async (): Promise<void> => {
    if (begun) throw new ParleyError({ code: 'internal', detail: 'A middleware called next twice in one turn.' })
    begun = true
    await perform(run, action)
    for (;;) {
      const next = decide(run.state, run.policy)
      if (next.type !== 'run-tools' || run.released) return
      await (runTools === undefined ? perform(run, next) : runTools())
    }
  }
  const { length: messages } = run.state.transcript
  try {
    await aroundTurn(innermost)({ turn: action.turn, messages, signal: run.stopper.signal })
  } catch (cause) {
    run.fail(cause)
    return
  }
  if (begun || run.stopper.stopped) return
  const detail = `a middleware ended the run before turn ${action.turn}`
  run.journal.record({ type: 'cancel.requested', reason: { kind: 'guard', detail } })
}
