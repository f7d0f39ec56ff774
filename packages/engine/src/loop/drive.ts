import { ParleyError, type ApprovalRequest, type Outcome } from '@parley/core'
import type { ChildOrder } from '../run-context/child-order.ts'
import { collectChildren } from '../steps/delegation/collect-children.ts'
import { noteAsking } from '../steps/delegation/record-suspended-child.ts'
import { awaitDecision } from '../steps/approval/await-decision.ts'
import { compactContext, compactIfDue } from '../context/compact-context.ts'
import { decide, type Action } from '../journal/decide.ts'
import { DEFAULT_LIMITS } from '../journal/limits.ts'
import type { EntryBody } from '../run-context/run-journal.ts'
import { batchesOf, runOpenCall } from '../steps/tools/run-tools.ts'
import { inProcess, type CallNews, type DurableHost, type Ending, type LeftCall, type Steps } from './durable-host.ts'
import { HeldTurn } from './held-turn.ts'
import { perform } from './perform.ts'
import type { Suspended } from '../run-context/run.ts'
import type { RunScope } from '../run-context/run-scope.ts'
import { runTurn } from './run-turn.ts'

/**
 * The agent loop: decide, do it, record what came of it, again. Works from any state, so a new run and a resumed
 * one are driven alike, wherever a host has the steps taken.
 */
export function drive(run: RunScope, host: DurableHost = inProcess): Promise<Ending> {
  const callOff = watchDuration(run)
  const steps = new RunSteps(run, host)
  return host.drive(steps).finally(() => {
    callOff()
    steps.letGo()
  })
}

/** What a run has to do. A class, because every run that waits for its model has one, and closures weigh more. */
class RunSteps implements Steps {
  readonly #run: RunScope
  /** The last turn whose call was compacted for. */
  #compactedTurn = 0
  readonly #host: DurableHost
  /** The turn within the middleware whose calls it runs. */
  #turn: HeldTurn | undefined

  constructor(run: RunScope, host: DurableHost) {
    this.#run = run
    this.#host = host
  }

  /** Not asynchronous itself: a step costs no more promises than what it does. */
  take(): ReturnType<Steps['take']> {
    const run = this.#run
    if (this.#turn !== undefined) return this.#goOnWith(this.#turn)
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
        const { aroundTurn } = run
        if (aroundTurn === undefined) return goingOn(perform(run, action))
        if (this.#host.runsCalls !== true) return goingOn(runTurn(run, { aroundTurn, action }))
        this.#turn = new HeldTurn(runTools => runTurn(run, { aroundTurn, action, runTools }))
        return this.#untilHeld(this.#turn.untilTools(), this.#turn)
      }
      case 'run-tools':
      case 'edit-context':
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

  /** A turn that has come to its end is followed by the next thing at once. */
  async #goOnWith(turn: HeldTurn): Promise<Ending | undefined> {
    await this.#untilHeld(turn.goOn(), turn)
    return this.#turn === undefined ? this.take() : undefined
  }

  async #untilHeld(going: Promise<void>, turn: HeldTurn): Promise<undefined> {
    await going
    if (turn.over) this.#turn = undefined
  }

  /** Nobody takes steps any more. */
  letGo(): void {
    this.#turn?.letGo(new ParleyError({ code: 'store-fenced', runId: this.#run.facts.runId }))
  }

  openCalls(): ReturnType<Steps['openCalls']> {
    const run = this.#run
    const action = decide(run.state, run.policy)
    return run.released || action.type !== 'run-tools' ? undefined : batchesOf(run, action.calls)
  }

  async call(callId: string, { broken = [], timedOut = false }: CallNews = {}): Promise<LeftCall | undefined> {
    const run = this.#run
    await collectChildren(run, callId, broken)
    const children: ChildOrder[] = []
    const name = run.state.calls?.find(({ call }) => call.callId === callId)?.call.name ?? ''
    const timeoutMs = run.tools.byName.get(name)?.tool.timeoutMs ?? run.prepared.agent.toolTimeoutMs
    await runOpenCall(run, callId, {
      left: this.#host.runsChildren === true ? children : undefined,
      verdict: timedOut ? { code: 'tool-timeout', tool: name, ms: timeoutMs ?? 0 } : undefined,
    })
    await this.commit()
    return children.length === 0 ? undefined : { children, timeoutMs }
  }

  async childAsks(runId: string): Promise<void> {
    await noteAsking(this.#run, runId)
    await this.commit()
  }

  get waits(): boolean {
    return decide(this.#run.state, this.#run.policy).type === 'await-decision'
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
