import { userMessage, type ApprovalRequest, type Outcome } from '@parley/core'
import { awaitDecision } from '../approval/await-decision.ts'
import { callModel } from '../model/call-model.ts'
import { decide, type Action } from '../journal/decide.ts'
import { DEFAULT_LIMITS, limitNote } from '../journal/limits.ts'
import type { Suspended } from './run.ts'
import type { RunScope } from './run-scope.ts'
import { runTools } from '../tools/run-tools.ts'

/**
 * The agent loop: decide, do it, record what came of it, again. Works from any state, so a new run and a resumed
 * one are driven alike.
 */
export async function drive(run: RunScope): Promise<Outcome | Suspended> {
  const { journal, prepared } = run
  const callOff = watchDuration(run)
  try {
    for (;;) {
      const action = decide(run.state, prepared.policy)
      if (run.released && action.type !== 'end') return await letGo(run, action)
      switch (action.type) {
        case 'call-model':
          // What led here is on disk before anything is spent on it.
          await journal.commit()
          for (const body of await callModel(run, action)) journal.record(body)
          break
        case 'run-tools':
          await runTools(run, action.calls)
          break
        case 'await-decision':
          if (!(await awaitDecision(run, action.approvals))) return await suspend(run, action.approvals)
          break
        case 'take-queued':
          for (const { kind: source, message, queueId } of action.inputs) {
            journal.record({ type: 'message.appended', source, message, queueId })
          }
          break
        case 'reach-limit':
          journal.record({ type: 'limit.reached', hit: action.hit })
          break
        case 'note-limit':
          journal.record({ type: 'message.appended', source: 'note', message: userMessage(limitNote(action.hit)) })
          break
        case 'end':
          return await end(run, action.outcome)
      }
    }
  } finally {
    callOff()
  }
}

async function suspend(run: RunScope, approvals: readonly ApprovalRequest[]): Promise<Suspended> {
  run.journal.record({ type: 'run.suspended', approvals: [...approvals] })
  await run.journal.commit()
  return { status: 'suspended', approvals }
}

/** Leaves the run to whoever resumes it. */
async function letGo(run: RunScope, action: Action): Promise<Suspended> {
  const approvals = action.type === 'await-decision' ? action.approvals : []
  run.journal.record({ type: 'run.suspended', approvals: [...approvals], reason: 'shutdown' })
  await run.journal.commit()
  return { status: 'suspended', approvals, reason: 'shutdown' }
}

async function end(run: RunScope, outcome: Outcome): Promise<Outcome> {
  const { journal } = run
  const { usage, cost } = run.state
  if (run.state.outcome === undefined) {
    journal.record({ type: 'run.ended', outcome, usage, ...(cost === undefined ? {} : { cost }) })
  }
  await journal.commit()
  return outcome
}

/** Stops the work in the middle of a turn when the run's time is up. */
function watchDuration(run: RunScope): () => void {
  const max = run.prepared.policy.limits.maxDurationMs ?? DEFAULT_LIMITS.maxDurationMs
  const { startedAt } = run.state
  const left = Math.max(0, startedAt + max - run.clock.now())
  return run.clock.after(left, () => {
    const { outcome, cancel, limit } = run.state
    if (outcome !== undefined || cancel !== undefined || limit !== undefined) return
    const hit = { limit: 'duration' as const, max, value: run.clock.now() - startedAt }
    run.journal.record({ type: 'limit.reached', hit })
    run.stopper.stop(new DOMException('The run reached its duration limit.', 'TimeoutError'))
  })
}
