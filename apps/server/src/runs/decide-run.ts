import { toolError, type Entry, type RunEvent } from '@parley/core'
import type { InputDecision, InputResult } from '@parley/encoders'
import type { Run, ToolResult } from '@parley/engine'
import type { Client } from '../access/client.ts'
import { Problem } from '../problem/problem.ts'
import { reportFailures } from './report-failures.ts'
import type { ServerContext } from '../state/server-context.ts'

export interface DecideRequest {
  readonly client: Client
  readonly runId: string
  /** The decisions to apply. Together with `results`, at least one. */
  readonly decisions: readonly InputDecision[]
  /** Results of calls that the client executed. @default none */
  readonly results?: readonly InputResult[] | undefined
}

/** A run that continues after an answer. */
export interface DecidedRun {
  readonly run: Run
  /** Entries that the journal had before the answer. */
  readonly prior: readonly Entry[]
  /** Returns the events after the answer. Called once for each reader. */
  readonly events: () => AsyncIterable<RunEvent>
}

/**
 * Applies decisions and results to a suspended run, one after the other.
 * @throws Problem 409 if the session is busy, 429 or 503 if a limit is reached, and what `runtime.decide` or
 * `runtime.submitToolResult` throws for the first one.
 */
export async function decideRun(
  server: ServerContext,
  { client, runId, decisions, results = [] }: DecideRequest,
): Promise<DecidedRun> {
  const { live, deciding } = server
  const { scope, principal } = client
  live.checkCapacity(scope)
  // Two concurrent decisions would each claim the run, and the second claim would fence off the first driver.
  if (deciding.has(runId))
    throw new Problem(409, 'CONFLICT', { message: 'Another decision about this run is being processed.' })
  const { runtime } = server
  const by = { by: principal, scope }
  const answers: readonly (() => Promise<Run>)[] = [
    ...decisions.map(each => () => runtime.decide(runId, each.approvalId, { decision: each.decision, ...by })),
    ...results.map(each => () => runtime.submitToolResult(each.runId ?? runId, each.callId, toResult(each), by)),
  ]
  const apply = async (answer: () => Promise<Run>): Promise<Run> => {
    const run = live.add(scope, await answer())
    void reportFailures(server, { run, requestId: client.requestId, fromSeq: prior.length + 1 })
    return run
  }

  let prior: readonly Entry[] = []
  const [first, ...others] = answers
  if (first === undefined) throw new Error('must have a decision or a result')
  deciding.add(runId)
  try {
    prior = await server.store.read(runId)
    const run = await apply(first)
    const steps: Promise<Run>[] = [Promise.resolve(run)]
    for (const answer of others) steps.push(nextStep(steps.at(-1) as Promise<Run>, () => apply(answer)))
    return { run, prior, events: () => eventsOf(run, steps.slice(1)) }
  } finally {
    deciding.delete(runId)
  }
}

function toResult({ output, isError }: InputResult): ToolResult {
  return isError ? toolError(typeof output === 'string' ? output : JSON.stringify(output)) : output
}

/** Applies the next answer when the run is suspended again. Returns the same run if it has ended instead. */
function nextStep(before: Promise<Run>, answer: () => Promise<Run>): Promise<Run> {
  const step = (async (): Promise<Run> => {
    const run = await before
    const { status } = await run.result
    return status === 'suspended' ? answer() : run
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
