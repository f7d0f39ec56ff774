import type { InputDecision } from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'
import type { Run } from '@parley/engine'
import type { Client } from '../access/client.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface DecideRequest {
  readonly client: Client
  readonly runId: string
  /** The decisions to apply, at least one. */
  readonly decisions: readonly InputDecision[]
}

/** A run that continues after a decision. */
export interface DecidedRun {
  readonly run: Run
  /** Entries that the journal had before the decision. */
  readonly prior: readonly Entry[]
  /** Returns the events after the decision. Called once for each reader. */
  readonly events: () => AsyncIterable<RunEvent>
}

/**
 * Applies decisions to a run that is suspended for approval, one after the other.
 * @throws Problem 409 if the session is busy, 429 or 503 if a limit is reached, and what `runtime.decide` throws for the first
 * decision.
 */
export async function decideRun(
  server: ServerContext,
  { client, runId, decisions }: DecideRequest,
): Promise<DecidedRun> {
  const { live, deciding } = server
  const { scope, principal } = client
  live.checkCapacity(scope)
  // Two concurrent decisions would each claim the run, and the second claim would fence off the first driver.
  if (deciding.has(runId))
    throw new Problem(409, 'CONFLICT', { message: 'Another decision about this run is being processed.' })
  const decide = async ({ approvalId, decision }: InputDecision): Promise<Run> =>
    live.add(scope, await server.runtime.decide(runId, approvalId, { decision, by: principal, scope }))

  const [first, ...others] = decisions as [InputDecision, ...InputDecision[]]
  deciding.add(runId)
  try {
    const prior = await server.store.read(runId)
    const run = await decide(first)
    const steps: Promise<Run>[] = [Promise.resolve(run)]
    for (const decision of others) steps.push(nextStep(steps.at(-1) as Promise<Run>, () => decide(decision)))
    return { run, prior, events: () => eventsOf(run, steps.slice(1)) }
  } finally {
    deciding.delete(runId)
  }
}

/** Applies the next decision when the run is suspended again. Returns the same run if it has ended instead. */
function nextStep(before: Promise<Run>, decide: () => Promise<Run>): Promise<Run> {
  const step = (async (): Promise<Run> => {
    const run = await before
    const { status } = await run.result
    return status === 'suspended' ? decide() : run
  })()
  // The readers of `eventsOf` get the rejection. Without them, Node.js would report it as unhandled.
  step.catch(() => {})
  return step
}

async function* eventsOf(first: Run, others: readonly Promise<Run>[]): AsyncGenerator<RunEvent, void> {
  let run = first
  for (const next of [...others, undefined]) {
    for await (const event of run) if (next === undefined || event.type !== 'run.suspended') yield event
    if (next === undefined) return
    const following = await next
    if (following === run) return
    run = following
  }
}
