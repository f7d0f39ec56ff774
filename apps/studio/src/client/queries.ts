import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { RunsQuery, UsageReportQuery } from '@parley/runs-api'
import { runsClient } from './studio-client.ts'

/** How often a page that nothing pushes to asks again, in milliseconds. */
const OFTEN = 3000

export const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: ({ signal }) => runsClient().info({ signal }),
  staleTime: Infinity,
})

/** Filters of the list of runs. */
export type RunFilters = Omit<RunsQuery, 'after' | 'limit' | 'signal'>

const PAGE = 100

export function runPagesQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: ['runs', filters],
    queryFn: ({ signal, pageParam }) => runsClient().runs({ ...filters, limit: PAGE, after: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next,
  })
}

/** The newest page alone, which is asked for again and again. */
export function newestRunsQuery(filters: RunFilters) {
  return queryOptions({
    queryKey: ['newest-runs', filters],
    queryFn: ({ signal }) => runsClient().runs({ ...filters, limit: PAGE, signal }),
    refetchInterval: OFTEN,
  })
}

export function runQuery(runId: string) {
  return queryOptions({ queryKey: ['run', runId], queryFn: ({ signal }) => runsClient().run(runId, { signal }) })
}

export function requestQuery(runId: string, turn: number) {
  return queryOptions({
    queryKey: ['request', runId, turn],
    queryFn: ({ signal }) => runsClient().request(runId, turn, { signal }),
    staleTime: Infinity,
    retry: false,
  })
}

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: ({ signal }) => runsClient().approvals({ signal }),
  refetchInterval: OFTEN,
})

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: async ({ signal }) => (await runsClient().agents({ signal })).agents,
  staleTime: 60_000,
})

export const workflowsQuery = queryOptions({
  queryKey: ['workflows'],
  queryFn: async ({ signal }) => (await runsClient().workflows({ signal })).workflows,
})

export function usageQuery(query: Omit<UsageReportQuery, 'signal'>) {
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => runsClient().usage({ ...query, signal }),
    refetchInterval: OFTEN * 5,
  })
}

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => runsClient().workers({ signal }),
  refetchInterval: OFTEN,
})

export const deadLettersQuery = queryOptions({
  queryKey: ['dead-letters'],
  queryFn: ({ signal }) => runsClient().deadLetters({ signal }),
  refetchInterval: OFTEN * 3,
})

export const unknownCallsQuery = infiniteQueryOptions({
  queryKey: ['unknown-calls'],
  queryFn: ({ signal, pageParam }) => runsClient().unknownCalls({ after: pageParam, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next,
})

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => runsClient().health({ signal }),
  refetchInterval: OFTEN * 3,
})
