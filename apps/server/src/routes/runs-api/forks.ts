import { createId } from '@parley/core'
import { describeFork } from '@parley/engine/journal'
import type { ForkPlan, StartedRun } from '@parley/runs-api'
import { beginRun } from './begin-run.ts'
import { changesOf } from './run-changes.ts'
import { defineRunsRoute, recordOf } from './runs-route.ts'
import { forkSchema, toMessage } from './verb-schemas.ts'

/** The routes that start a run from any entry of another run. */
export const FORK_ROUTES = [
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/fork/plan',
    access: 'viewer',
    summary: 'Say what a fork would do, without doing it.',
    body: forkSchema,
    answer: 'ForkPlan',
    handle: async (request): Promise<ForkPlan> => {
      const { runId } = await recordOf(request)
      changesOf(request, request.body)
      const { at, input, results } = request.body
      const message = input === undefined ? undefined : toMessage(input)
      return describeFork(request.server.store, runId, { at, input: message, results })
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/runs/{id}/fork',
    access: 'operator',
    summary: 'Start a run from any entry of another run.',
    body: forkSchema,
    answer: 'StartedRun',
    status: 201,
    handle: async (request): Promise<StartedRun> => {
      const { runId, scope } = await recordOf(request)
      const { server, body } = request
      const { at, input, results, sessionId = createId(server.clock.now()) } = body
      const message = input === undefined ? undefined : toMessage(input)
      const options = { ...changesOf(request, body), at, results, input: message, sessionId, scope }
      return beginRun(request, given => server.runtime.fork(runId, { ...options, ...given }))
    },
  }),
]
