import type { Turn } from '@parley/core'
import type { ActionOf } from '../../journal/decide.ts'
import { failRun } from '../../run-context/fail-run.ts'
import type { RunContext } from '../../run-context/run-context.ts'

/** Runs the `beforeTurn` hooks. A hook that returns `false` ends the run as cancelled; a hook that throws fails it. */
export async function beginTurn(run: RunContext, { turn }: ActionOf<'begin-turn'>): Promise<void> {
  const { journal, middleware, stopper } = run
  try {
    for (const { beforeTurn } of middleware.turnHooks) {
      if ((await beforeTurn?.(describeTurn(run, turn))) !== false) continue
      if (stopper.stopped) return
      const detail = `a middleware ended the run before turn ${turn}`
      journal.record({ type: 'cancel.requested', reason: { kind: 'guard', detail } })
      return
    }
    run.due.openTurn = turn
  } catch (cause) {
    failRun(journal, cause)
  }
}

/** Runs the `afterTurn` hooks, the last middleware's first. A hook that throws fails the run. */
export async function endTurn(run: RunContext, { turn }: ActionOf<'end-turn'>): Promise<void> {
  run.due.openTurn = undefined
  try {
    for (const { afterTurn } of run.middleware.turnHooks.toReversed()) await afterTurn?.(describeTurn(run, turn))
  } catch (cause) {
    failRun(run.journal, cause)
  }
}

/**
 * Runs the `afterTurn` hooks of a turn that this process leaves in its middle: the store failed, or the host gave the run
 * up. An error changes nothing, because nothing more can be recorded.
 */
export async function abandonTurn(run: RunContext): Promise<void> {
  const { openTurn } = run.due
  if (openTurn === undefined) return
  run.due.openTurn = undefined
  for (const { afterTurn } of run.middleware.turnHooks.toReversed()) {
    const hook = async (): Promise<void> => afterTurn?.(describeTurn(run, openTurn))
    await hook().catch(() => {})
  }
}

function describeTurn({ state, stopper }: RunContext, turn: number): Turn {
  return { turn, messages: state.transcript.length, signal: stopper.signal }
}
