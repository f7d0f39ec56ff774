import type { UsageField } from '@parley/core'
import type { DeadLetterList, UsageReport, WorkerList } from '@parley/runs-api'
import { invalidParameter, notFound, Problem } from '../../problem/problem.ts'
import { healthOf } from './server-health.ts'
import { integerOf, limitOf } from './query-values.ts'
import { defineRunsRoute, notSupported, type RunsRequest } from './runs-route.ts'

const USAGE_FIELDS: readonly UsageField[] = ['agent', 'model', 'day']

/** Totals and the state of the server, for those who operate it. */
export const REPORT_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/usage',
    access: 'viewer',
    summary: 'Get the tokens and the cost of ended runs.',
    query: { since: 'integer', until: 'integer', by: 'string' },
    answer: 'UsageReport',
    handle: async (request): Promise<UsageReport> => {
      const { reports } = request.server.store
      if (reports === undefined) throw notSupported('reports')
      const { scope } = request.client
      const since = integerOf(request, 'since')
      const until = integerOf(request, 'until')
      return { scope, totals: await reports.usage({ scope, since, until, by: fieldsOf(request) }) }
    },
  }),
  defineRunsRoute({
    method: 'get',
    path: '/workers',
    access: 'viewer',
    summary: 'List the processes that hold unfinished runs.',
    answer: 'WorkerList',
    handle: async ({ server, client }): Promise<WorkerList> => {
      const { reports } = server.store
      if (reports === undefined) throw notSupported('reports')
      return { now: server.clock.now(), workers: await reports.workers({ scope: client.scope }) }
    },
  }),
  defineRunsRoute({
    method: 'get',
    path: '/runs-api/health',
    access: 'viewer',
    summary: 'Get the state of the server, its store, models and tool sources.',
    answer: 'ServerHealth',
    handle: async ({ server }) => healthOf(server),
  }),
  defineRunsRoute({
    method: 'get',
    path: '/dead-letters',
    access: 'viewer',
    summary: 'List events that a subscriber did not accept, oldest first.',
    query: { subscriber: 'string', limit: 'integer' },
    answer: 'DeadLetterList',
    handle: async (request): Promise<DeadLetterList> => {
      const letters = await lettersOf(request).list({
        subscriber: request.query('subscriber'),
        limit: limitOf(request, 100),
      })
      return { deadLetters: letters.filter(({ scope }) => scope === request.client.scope) }
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/dead-letters/{id}/redrive',
    access: 'admin',
    summary: 'Deliver a dead letter again. It is removed once its subscriber has accepted it.',
    answer: 'Whether it was `redriven`.',
    handle: async (request): Promise<{ redriven: boolean }> => {
      const { id } = await letterOf(request)
      const { deadLetters } = request.server.runtime.bus ?? {}
      if (deadLetters === undefined) {
        const message = 'The runtime of this server has no event bus that could deliver the letter again.'
        throw new Problem(501, 'NOT_SUPPORTED', { message })
      }
      return { redriven: (await deadLetters.redrive({ id })).queued > 0 }
    },
  }),
  defineRunsRoute({
    method: 'post',
    path: '/dead-letters/{id}/drop',
    access: 'admin',
    summary: 'Remove a dead letter.',
    answer: 'Whether it was `dropped`.',
    handle: async (request): Promise<{ dropped: boolean }> => {
      const letters = lettersOf(request)
      const { id } = await letterOf(request)
      return { dropped: await letters.remove(id) }
    },
  }),
]

function fieldsOf({ query }: RunsRequest): readonly UsageField[] {
  const names = query('by')?.split(',') ?? []
  return names.map(name => {
    const field = USAGE_FIELDS.find(known => known === name)
    if (field === undefined) throw invalidParameter(`by: must be a list of ${USAGE_FIELDS.join(', ')}`)
    return field
  })
}

function lettersOf({ server }: RunsRequest) {
  const { deadLetters } = server.store
  if (deadLetters === undefined) throw notSupported('dead letters')
  return deadLetters
}

/** The letter in the address. @throws Problem 404 if it is unknown or belongs to another scope. */
async function letterOf(request: RunsRequest) {
  const letter = await lettersOf(request).get(request.param('id'))
  if (letter?.scope !== request.client.scope) throw notFound('dead letter')
  return letter
}
