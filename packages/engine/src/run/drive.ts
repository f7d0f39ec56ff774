import type { ApprovalRequest, Outcome } from '@parley/core'
import { awaitDecision } from '../approval/await-decision.ts'
import { compactContext, compactIfDue } from '../context/compact-context.ts'
import { decide, type Action } from '../journal/decide.ts'
import { DEFAULT_LIMITS } from '../journal/limits.ts'
import type { EntryBody } from '../journal/run-journal.ts'
import { inProcess, type DurableHost, type Ending, type Steps } from './durable-host.ts'
import { perform } from './perform.ts'
import type { Suspended } from './run.ts'
import type { RunScope } from './run-scope.ts'
import { runTurn } from './run-turn.ts'

/**
 * The agent loop: decide, do it, record what came of it, again. Works from any state, so a new run and a resumed
 * one are driven alike, wherever a host has the steps taken.
 */
export function drive(run: RunScope, host: DurableHost = inProcess): Promise<Ending> {
  const callOff = watchDuration(run)
  return host.drive(new RunSteps(run)).finally(callOff)
}

/** What a run has to do. A class, because every run that waits for its model has one, and closures weigh more. */
class RunSteps implements Steps {
  readonly #run: RunScope
  /** The last turn whose call was compacted for. */
  #compactedTurn = 0

  constructor(run: RunScope) {
    this.#run = run
  }

  /** Not asynchronous itself: a step costs no more promises than what it does. */
  take(): ReturnType<Steps['take']> {
    const run = this.#run
    const action = decide(run.state, run.policy)
    if (run.released && action.type !== 'end') return letGo(run, action)
    switch (action.type) {
      case 'end':
        return end(run, action.outcome)
      case 'await-decision':
        return waitForDecision(run, action.approvals)
      case 'compact':
        return compactAfterRefusal(run, action)
      case 'call-model': {
        const compacting = this.#compactedTurn === action.turn ? undefined : compactIfDue(run, action.turn)
        this.#compactedTurn = action.turn
        // Meanwhile somebody may have spoken, or stopped the run.
        if (compacting !== undefined) return compacting.then(() => undefined)
        return goingOn(run.aroundTurn === undefined ? perform(run, action) : runTurn(run, run.aroundTurn, action))
      }
      case 'run-tools':
      case 'hand-over':
      case 'check-output':
      case 'continue-answer':
      case 'take-queued':
      case 'compact-session':
      case 'reach-limit':
      case 'note-limit':
        return goingOn(perform(run, action))
    }
  }

  commit(): Promise<void> | undefined {
    return this.#run.journal.commit()
  }
}

/** What is performed ends no run, and comes to nothing. */
function goingOn(performing: Promise<void> | undefined): Promise<undefined> | undefined {
  return performing as Promise<undefined> | undefined
}

async function waitForDecision(run: RunScope, asked: readonly ApprovalRequest[]): Promise<Suspended | undefined> {
  if (await awaitDecision(run, asked)) return undefined
  const approvals = [...asked]
  const concluded = await conclude(run, { type: 'run.suspended', approvals })
  return concluded ? { status: 'suspended', approvals } : undefined
}

async function compactAfterRefusal(
  run: RunScope,
  { turn, error }: Extract<Action, { type: 'compact' }>,
): Promise<Outcome | undefined> {
  const compacted = await compactContext(run, { turn, trigger: 'overflow' })
  return compacted || run.stopper.stopped ? undefined : end(run, { status: 'failed', error })
}

/** Leaves the run to whoever resumes it. */
async function letGo(run: RunScope, action: Action): Promise<Suspended> {
  const approvals = action.type === 'await-decision' ? action.approvals : []
  run.journal.record({ type: 'run.suspended', approvals: [...approvals], reason: 'shutdown' })
  await run.journal.commit()
  return { status: 'suspended', approvals, reason: 'shutdown' }
}

/** Undefined when somebody had left word first. */
async function end(run: RunScope, outcome: Outcome): Promise<Outcome | undefined> {
  const { usage, cost } = run.state
  if (run.state.outcome === undefined) {
    const ended = { type: 'run.ended' as const, outcome, usage, ...(cost === undefined ? {} : { cost }) }
    return (await conclude(run, ended)) ? outcome : undefined
  }
  await run.journal.commit()
  return outcome
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
