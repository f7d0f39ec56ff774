import type { Outcome } from '@parley/core'
import { awaitDecision } from '../approval/await-decision.ts'
import { compactContext, compactIfDue } from '../context/compact-context.ts'
import { decide, type Action } from '../journal/decide.ts'
import { DEFAULT_LIMITS } from '../journal/limits.ts'
import type { EntryBody } from '../journal/run-journal.ts'
import { perform } from './perform.ts'
import type { Suspended } from './run.ts'
import type { RunScope } from './run-scope.ts'
import { runTurn } from './run-turn.ts'

/**
 * The agent loop: decide, do it, record what came of it, again. Works from any state, so a new run and a resumed
 * one are driven alike.
 */
export async function drive(run: RunScope): Promise<Outcome | Suspended> {
  const callOff = watchDuration(run)
  let compactedTurn = 0
  try {
    for (;;) {
      const action = decide(run.state, run.policy)
      if (run.released && action.type !== 'end') return await letGo(run, action)
      if (action.type === 'end') {
        if (await end(run, action.outcome)) return action.outcome
      } else if (action.type === 'await-decision') {
        if (await awaitDecision(run, action.approvals)) continue
        const approvals = [...action.approvals]
        if (await conclude(run, { type: 'run.suspended', approvals })) return { status: 'suspended', approvals }
      } else if (action.type === 'compact') {
        const compacted = await compactContext(run, { turn: action.turn, trigger: 'overflow' })
        const outcome = { status: 'failed' as const, error: action.error }
        if (!compacted && !run.stopper.stopped && (await end(run, outcome))) return outcome
      } else if (action.type === 'call-model') {
        const compacting = compactedTurn === action.turn ? undefined : compactIfDue(run, action.turn)
        compactedTurn = action.turn
        // Meanwhile somebody may have spoken, or stopped the run.
        if (compacting !== undefined) await compacting
        else if (run.aroundTurn === undefined) await perform(run, action)
        else await runTurn(run, run.aroundTurn, action)
      } else {
        await perform(run, action)
      }
    }
  } finally {
    callOff()
  }
}

/** Leaves the run to whoever resumes it. */
async function letGo(run: RunScope, action: Action): Promise<Suspended> {
  const approvals = action.type === 'await-decision' ? action.approvals : []
  run.journal.record({ type: 'run.suspended', approvals: [...approvals], reason: 'shutdown' })
  await run.journal.commit()
  return { status: 'suspended', approvals, reason: 'shutdown' }
}

async function end(run: RunScope, outcome: Outcome): Promise<boolean> {
  const { usage, cost } = run.state
  if (run.state.outcome === undefined) {
    return conclude(run, { type: 'run.ended', outcome, usage, ...(cost === undefined ? {} : { cost }) })
  }
  await run.journal.commit()
  return true
}

/** Whether nobody drives the run any more. Otherwise somebody had left word for it, which it has now taken. */
async function conclude(run: RunScope, lastWord: EntryBody): Promise<boolean> {
  if (await run.journal.conclude(lastWord)) return true
  await run.inbox?.take()
  return false
}

/** Stops the work in the middle of a turn when the run's time is up. */
function watchDuration(run: RunScope): () => void {
  const max = run.policy.limits.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs
  const begunAt = run.state.startedAt + run.state.idleMs
  const left = Math.max(0, begunAt + max - run.clock.now())
  return run.clock.after(left, () => {
    const { outcome, cancel, limit } = run.state
    if (outcome !== undefined || cancel !== undefined || limit !== undefined) return
    const hit = { limit: 'duration' as const, max, value: run.clock.now() - begunAt }
    run.journal.record({ type: 'limit.reached', hit })
    run.stopper.stop(new DOMException('The run reached its duration limit.', 'TimeoutError'))
  })
}
