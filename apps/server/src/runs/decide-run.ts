import type { InputDecision } from '@parley/agent-api'
import type { Entry, RunEvent } from '@parley/core'
import type { Run } from '@parley/engine'
import type { Client } from '../access/client.ts'
import { serveAgentResponse, type ServedAgentResponse } from '../responses/serve-agent-response.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface DecideRequest {
  readonly client: Client
  readonly runId: string
  /** At least one. */
  readonly decisions: readonly InputDecision[]
  /** @default made from the run's id */
  readonly responseId?: string | undefined
}

/** A run that goes on, and its events from there, for each reader anew. */
export interface DecidedRun {
  readonly run: Run
  /** What the run's journal had before. */
  readonly prior: readonly Entry[]
  readonly events: () => AsyncIterable<RunEvent>
}

/**
 * Takes decisions to a run that waits for them, one after the other.
 * @throws Problem 429, 503, and what `runtime.decide` throws for the first decision.
 */
export async function decideEvents(
  server: ServerContext,
  { client, runId, decisions }: Omit<DecideRequest, 'responseId'>,
): Promise<DecidedRun> {
  const { live, deciding } = server
  const { scope, principal } = client
  live.checkRoom(scope)
  // Two who decide at the same time would take the run from each other.
  if (deciding.has(runId)) throw new Problem(409, 'CONFLICT', { message: 'Somebody is deciding about that run.' })
  const decide = async ({ approvalId, decision }: InputDecision): Promise<Run> =>
    live.adopt(scope, await server.runtime.decide(runId, approvalId, { decision, by: principal, scope }))

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

/**
 * Takes decisions to a run as one response.
 * @throws what `decideEvents` throws.
 */
export async function decideRun(server: ServerContext, request: DecideRequest): Promise<ServedAgentResponse> {
  const { client, runId, responseId } = request
  const { scope } = client
  if (responseId !== undefined) server.shelf.checkFree(scope, responseId)
  const { run, prior, events: watch } = await decideEvents(server, request)
  const id = responseId ?? `response_${runId}_${prior.length + 1}`
  return serveAgentResponse(server, { id, scope, runId, sessionId: run.sessionId, watch, prior })
}

/** What a decision leads to, once the run waits for it; the run as it is when it waits for nothing. */
function nextStep(before: Promise<Run>, decide: () => Promise<Run>): Promise<Run> {
  const step = (async (): Promise<Run> => {
    const run = await before
    const { status } = await run.result
    return status === 'suspended' ? decide() : run
  })()
  // Whoever reads the events is told.
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
