import { createId, ParleyError, type Principal } from '@parley/core'
import type { Run } from '@parley/engine'
import type { StartedRun } from '@parley/runs-api'
import { invalidParameter } from '../../problem/problem.ts'
import { reportFailures } from '../../runs/report-failures.ts'
import type { RunsRequest } from './runs-route.ts'

/** What every new run of a client is given. */
export interface BeginOptions {
  readonly runId: string
  readonly principal: Principal | undefined
}

/**
 * Starts a run, and resolves once the store has it.
 * @throws Problem 400 for a change that the run cannot have, 409 if the session is busy, 429 or 503 if a limit is reached.
 */
export async function beginRun(
  { server, client }: RunsRequest,
  begin: (options: BeginOptions) => Promise<Run>,
): Promise<StartedRun> {
  const { live, clock } = server
  live.checkCapacity(client.scope)
  try {
    const run = live.add(client.scope, await begin({ runId: createId(clock.now()), principal: client.principal }))
    void reportFailures(server, { run, requestId: client.requestId })
    await begun(run)
    return { runId: run.runId, sessionId: run.sessionId }
  } catch (error) {
    throw toChangeProblem(error)
  }
}

async function begun(run: Run): Promise<void> {
  for await (const event of run) {
    if (event.type === 'run.interrupted') throw new ParleyError(event.error)
    // A run that waits for a place has no entry yet, and may wait long.
    return
  }
}

/** Options of a run that the request sets. */
const CHANGES = /^(?:(?:run|fork|rerun)\.)?(at|input|results|model|variables|instructions|settings)\b/

/** The client reads why a change is refused. An error in the configuration of the server stays hidden. */
function toChangeProblem(error: unknown): unknown {
  if (ParleyError.is(error, 'model-unknown'))
    return invalidParameter(`model: '${error.info.model}' is unknown to this server`)
  if (!ParleyError.is(error, 'config-invalid')) return error
  const { path, detail } = error.info
  const settings = /(?:^|\.)(settings\..*)$/.exec(path)?.[1]
  const found = settings ?? (CHANGES.test(path) ? path.replace(/^(?:run|fork|rerun)\./, '') : undefined)
  return found === undefined ? error : invalidParameter(`${found}: ${detail}`)
}
