import type { Relation } from '@parley/core/schema'
import { loadRun, loadRunMessages, loadRunTree, restoreRequest } from '@parley/engine/journal'
import type { EntryPage, RequestView, RunDetail, RunNode, RunPage, TranscriptView } from '@parley/runs-api'
import type { Entry, RunStatus } from '@parley/core'
import { Problem, notFound } from '../../problem/problem.ts'
import { choiceOf, integerOf, limitOf } from './query-values.ts'
import { readCursor, writeCursor } from './run-cursor.ts'
import { toDetail } from './run-detail.ts'
import { defineRunsRoute, recordOf, type RunsRequest } from './runs-route.ts'

const RELATIONS: readonly Relation[] = ['initial', 'continue', 'branch', 'rerun', 'sub-agent', 'compaction']
const STATUSES: readonly RunStatus[] = ['running', 'suspended', 'completed', 'limit', 'cancelled', 'rejected', 'failed']

/** The routes that read runs. */
export const READ_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/runs',
    access: 'viewer',
    summary: 'List runs, newest first.',
    query: {
      status: 'string',
      agent: 'string',
      sessionId: 'string',
      relation: 'string',
      parent: 'string',
      roots: 'boolean',
      since: 'integer',
      until: 'integer',
      text: 'string',
      limit: 'integer',
      after: 'string',
    },
    answer: 'RunPage',
    handle: listRuns,
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}',
    access: 'viewer',
    summary: 'Get a run.',
    answer: 'RunDetail',
    handle: async (request): Promise<RunDetail> => toDetail(request.server.runtime, await recordOf(request)),
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/entries',
    access: 'viewer',
    summary: 'Read the journal of a run, from the entry after `after`.',
    query: { after: 'integer', limit: 'integer' },
    answer: 'EntryPage',
    handle: readEntries,
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/requests/{turn}',
    access: 'viewer',
    summary: 'Get the exact request of a model call.',
    answer: 'RequestView',
    handle: readRequest,
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/tree',
    access: 'viewer',
    summary: 'Get a run with its child runs.',
    answer: 'RunNode',
    handle: async (request): Promise<RunNode> => loadRunTree(request.server.store, (await recordOf(request)).runId),
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs/{id}/transcript',
    access: 'viewer',
    summary: 'Get the conversation of a run.',
    answer: 'TranscriptView',
    handle: async (request): Promise<TranscriptView> => ({
      messages: await loadRunMessages(request.server.store, (await recordOf(request)).runId),
    }),
  }),
]

async function listRuns(request: RunsRequest): Promise<RunPage> {
  const { server, client, query } = request
  const limit = limitOf(request, 100)
  const after = query('after')
  const found = await server.store.runs({
    scope: client.scope,
    status: choiceOf(request, 'status', STATUSES),
    agent: query('agent'),
    sessionId: query('sessionId'),
    relation: choiceOf(request, 'relation', RELATIONS),
    parent: query('parent'),
    roots: choiceOf(request, 'roots', ['true', 'false']) === 'true',
    since: integerOf(request, 'since'),
    until: integerOf(request, 'until'),
    text: query('text'),
    after: after === undefined ? undefined : readCursor(after),
    // One more shows whether there is a next page.
    limit: limit + 1,
  })
  const runs = found.slice(0, limit)
  const last = runs.at(-1)
  return { runs, ...(found.length > limit && last !== undefined ? { next: writeCursor(last) } : {}) }
}

async function readEntries(request: RunsRequest): Promise<EntryPage> {
  const { runId, seq } = await recordOf(request)
  const after = integerOf(request, 'after') ?? 0
  const limit = limitOf(request, 200)
  const entries = await request.server.store.read(runId, { afterSeq: after, limit })
  const last = entries.at(-1)?.seq ?? after
  return { entries, seq, ...(last < seq && entries.length > 0 ? { next: last } : {}) }
}

async function readRequest(request: RunsRequest): Promise<RequestView> {
  const { runId } = await recordOf(request)
  const { store } = request.server
  const turn = Number(request.param('turn'))
  const entries = await store.read(runId)
  const kept = entries.findLast(entry => entry.type === 'request.kept' && entry.turn === turn)
  if (kept?.type !== 'request.kept') throw noRequest(entries, turn)
  const { transcript } = await loadRun(store, runId, kept.seq)
  return { turn, model: kept.model, request: restoreRequest(kept, transcript.toArray()), view: kept.view }
}

function noRequest(entries: readonly Entry[], turn: number): Problem {
  const isCall = entries.some(
    entry => (entry.type === 'model.called' || entry.type === 'model.failed') && entry.turn === turn,
  )
  if (!isCall) return notFound('model call')
  const message =
    "The journal does not keep the requests of this run. Create the runtime with captureRequests: 'keep' to keep those of later runs."
  return new Problem(404, 'REQUEST_NOT_KEPT', { message })
}
