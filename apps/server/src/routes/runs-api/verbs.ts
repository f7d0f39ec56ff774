import { createId } from '@parley/core'
import type { Run } from '@parley/engine'
import type { PruneResult, RunState, StartedRun, StartedRuns, StartRequest } from '@parley/runs-api'
import { hasAccess } from '../../access/runs-access.ts'
import { notFound, Problem } from '../../problem/problem.ts'
import { reportFailures } from '../../runs/report-failures.ts'
import { sessionBusy } from '../../state/live-runs.ts'
import { beginRun } from './begin-run.ts'
import { FORK_ROUTES } from './forks.ts'
import { COMPACT_ROUTE } from './compact.ts'
import { changesOf } from './run-changes.ts'
import { defineRunsRoute, notSupported, recordOf, type RunsRequest } from './runs-route.ts'
import { SUBMIT_ROUTE } from './submit.ts'
import { cancelSchema, messageSchema, rerunSchema, startSchema, toMessage } from './verb-schemas.ts'

/** The routes that act on runs. */
export const VERB_ROUTES = [
  defineRunsRoute({
    method: 'post',
    path: '/runs',
    access: 'operator',
    summary: 'Start a run.',
    body: startSchema,
    answer: 'StartedRun',
    status: 201,
    handle: start,
  }),
  ...FORK_ROUTES,
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/rerun',
    access: 'operator',
    summary: 'Start runs that begin where another run began.',
    body: rerunSchema,
    answer: 'StartedRuns',
    status: 201,
    handle: async (request): Promise<StartedRuns> => {
      const { runId, scope } = await recordOf(request)
      const { server, body } = request
      const { times = 1, input, sessionId } = body
      const message = input === undefined ? undefined : toMessage(input)
      const options = { ...changesOf(request, body), input: message, scope }
      const runs: StartedRun[] = []
      for (let count = 0; count < times; count++) {
        const session = sessionId ?? createId(server.clock.now())
        const all = { ...options, sessionId: session }
        runs.push(await beginRun(request, given => server.runtime.rerun(runId, { ...all, ...given })))
      }
      return { runs }
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/steer',
    access: 'operator',
    summary: 'Send a message to an unfinished run, before its next model call.',
    body: messageSchema,
    answer: 'RunState',
    handle: async (request): Promise<RunState> => {
      const { runId, scope } = await recordOf(request)
      await request.server.runtime.steer(runId, toMessage(request.body.message), { scope })
      return stateOf(request, runId)
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/follow-up',
    access: 'operator',
    summary: 'Send a message to an unfinished run, after its answer.',
    body: messageSchema,
    answer: 'RunState',
    handle: async (request): Promise<RunState> => {
      const { runId, scope } = await recordOf(request)
      await request.server.runtime.followUp(runId, toMessage(request.body.message), { scope })
      return stateOf(request, runId)
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/cancel',
    access: 'operator',
    summary: 'Cancel an unfinished run, whichever process drives it.',
    body: cancelSchema,
    answer: 'RunState',
    handle: async (request): Promise<RunState> => {
      const { runId, scope } = await recordOf(request)
      const { reason: detail } = request.body
      const reason = { kind: 'user' as const, ...(detail === undefined ? {} : { detail }) }
      await request.server.runtime.cancel(runId, { scope, reason })
      return stateOf(request, runId)
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/resume',
    access: 'operator',
    summary: 'Resume an unfinished run that no process drives.',
    answer: 'RunState',
    handle: async (request): Promise<RunState> => {
      const { runId, scope } = await recordOf(request)
      const { live, runtime } = request.server
      live.checkCapacity(scope)
      track(request, await runtime.resume(runId, { scope }))
      return stateOf(request, runId)
    },
  }),
  COMPACT_ROUTE,
  SUBMIT_ROUTE,
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/prune',
    access: 'admin',
    summary: 'Remove an ended run with its journal.',
    answer: 'PruneResult',
    handle: prune,
  }),
]

async function start(request: RunsRequest<StartRequest>): Promise<StartedRun> {
  const { server, client, body } = request
  const { agent, input, sessionId, variables, metadata, context } = body
  const { scope, access } = client
  if (context !== undefined && !hasAccess(access, 'admin')) {
    const message = "A `context` requires the access 'admin', because the code of the run trusts it."
    throw new Problem(403, 'PERMISSION_DENIED', { message })
  }
  if (sessionId !== undefined) await checkFree(request, sessionId)
  const { agent: _named, ...changes } = changesOf(request, body)
  const options = {
    ...changes,
    sessionId,
    variables,
    context,
    metadata: { ...server.metadata, ...metadata },
  }
  return beginRun(request, async given => server.runtime.run(agent, toMessage(input), { ...options, scope, ...given }))
}

/** @throws Problem 409 if the newest run of the session is unfinished. */
async function checkFree({ server, client }: RunsRequest, sessionId: string): Promise<void> {
  const [newest] = await server.store.runs({ scope: client.scope, sessionId, limit: 1 })
  if (newest?.status === 'running' || newest?.status === 'suspended') throw sessionBusy()
}

/** Counts a run for the limits of the server, and reports its failure. */
function track({ server, client }: RunsRequest, run: Run): void {
  server.live.add(client.scope, run)
  void reportFailures(server, { run, requestId: client.requestId })
}

async function stateOf({ server }: RunsRequest, runId: string): Promise<RunState> {
  const record = await server.store.run(runId)
  if (record === undefined) throw notFound('run')
  return { runId, status: record.status }
}

async function prune(request: RunsRequest): Promise<PruneResult> {
  const { runId, scope, updatedAt } = await recordOf(request)
  const { store } = request.server
  if (store.prune === undefined) throw notSupported('removal of runs')
  return { pruned: (await store.prune({ scope, runId, before: updatedAt + 1 })) > 0 }
}
