import type { ActionOf } from '../../journal/decide.ts'
import { failRun } from '../../run-context/fail-run.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { HookedTurn } from './hooked-turn.ts'

/** Runs the `beforeTurn` hooks. A hook that returns `false` ends the run as cancelled; a hook that throws fails it. */
export async function beginTurn(run: RunContext, { turn }: ActionOf<'begin-turn'>): Promise<void> {
  const { journal, middleware, stopper } = run
  const hooked = new HookedTurn(run, turn)
  try {
    for (const { beforeTurn } of middleware.turnHooks) {
      if ((await beforeTurn?.(hooked)) !== false) continue
      if (stopper.stopped) return
      const detail = `a middleware ended the run before turn ${turn}`
      journal.record({ type: 'cancel.requested', reason: { kind: 'guard', detail } })
      return
    }
    run.due.open = hooked
  } catch (cause) {
    failRun(journal, cause, 'hook')
  }
}

/**
 * Runs the `afterTurn` hooks, the last middleware's first, then takes the messages of middleware that steers the run. A hook that
 * throws fails the run.
 */
export async function endTurn(run: RunContext, { turn }: ActionOf<'end-turn'>): Promise<void> {
  const ended = new HookedTurn(run, turn, run.due.open?.trigger)
  run.due.open = undefined
  try {
    for (const { afterTurn } of run.middleware.turnHooks.toReversed()) await afterTurn?.(ended)
  } catch (cause) {
    failRun(run.journal, cause, 'hook')
  }
  await run.middleware.pullSteering()
}

/**
 * Runs the `afterTurn` hooks of a turn that this process does not finish, because the store failed or the host stopped
 * driving the run. An error changes nothing, because nothing more can be recorded.
 */
export async function abandonTurn(run: RunContext): Promise<void> {
  const { open } = run.due
  if (open === undefined) return
  const ended = new HookedTurn(run, open.turn, open.trigger)
  run.due.open = undefined
  for (const { afterTurn } of run.middleware.turnHooks.toReversed()) {
    const hook = async (): Promise<void> => afterTurn?.(ended)
    await hook().catch(() => {})
  }
}
