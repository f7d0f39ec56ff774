import { toRunEvents } from '@parley/agent-api'
import { ParleyError, type Entry, type RunEvent } from '@parley/core'
import type { Run } from '@parley/engine'
import { ServedResponse } from './served-response.ts'
import { RESPONSE_ID } from './start-run.ts'
import type { ServerContext } from '../server-context.ts'

/**
 * Takes up the runs of these scopes that no process drives any more. A run that another worker has, or whose agent is
 * gone, is left as it is.
 * @returns How many were taken up.
 * @throws ParleyError `store-…`.
 */
export async function recoverRuns(server: ServerContext, scopes: Iterable<string>): Promise<number> {
  const { runtime, store, live, shelf } = server
  let taken = 0
  for (const scope of scopes) {
    for (const { runId } of await store.runs({ scope, status: 'running', limit: 1000 })) {
      try {
        const entries = await store.read(runId)
        const run = live.adopt(scope, await runtime.resume(runId))
        shelf.put(resumedResponse(server, { scope, run, entries }))
        taken++
      } catch (error) {
        if (!isLeft(error)) throw error
      }
    }
  }
  return taken
}

interface ResumedRun {
  readonly scope: string
  readonly run: Run
  readonly entries: readonly Entry[]
}

/** The response that was cut off, from its beginning. */
function resumedResponse(server: ServerContext, { scope, run, entries }: ResumedRun): ServedResponse {
  const { runId, sessionId } = run
  const from = entries.findLastIndex(entry => entry.type === 'run.suspended') + 1
  const [first] = entries
  const named = first?.type === 'run.started' ? first.metadata?.[RESPONSE_ID] : undefined
  const whole = typeof named === 'string' ? named : `response_${runId}`
  return new ServedResponse({
    id: from === 0 ? whole : `response_${runId}_${from + 1}`,
    scope,
    runId,
    sessionId,
    profile: server.profile,
    maxReplayChars: server.limits.maxReplayChars,
    watch: () => eventsSince(toRunEvents(runId, entries).slice(from), run),
    prior: entries.slice(0, from),
  })
}

async function* eventsSince(before: readonly RunEvent[], run: Run): AsyncGenerator<RunEvent, void> {
  yield* before
  yield* run
}

function isLeft(error: unknown): boolean {
  return (
    ParleyError.is(error, 'run-busy') || ParleyError.is(error, 'run-ended') || ParleyError.is(error, 'agent-unknown')
  )
}
