import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { newestRunsQuery, runPagesQuery, type RunFilters } from '../../client/queries.ts'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { FilterBar } from './filter-bar.tsx'
import { mergeRuns } from './merge-runs.ts'
import { PERIODS, type RunListView } from './run-filters.ts'
import { RunGrid } from './run-grid.tsx'

/** The list of all runs. New runs appear, and states change, while it is open. */
export function RunsPage() {
  const view = useSearch({ from: '/' })
  const filters = useMemo(() => toFilters(view), [view])
  const pages = useInfiniteQuery(runPagesQuery(filters))
  const newest = useQuery(newestRunsQuery(filters))
  const { fetchNextPage } = pages
  const runs = useMemo(
    () => mergeRuns(newest.data?.runs ?? [], pages.data?.pages.flatMap(page => page.runs) ?? []),
    [newest.data, pages.data],
  )
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  const error = pages.error ?? newest.error
  return (
    <div className="page tall">
      <div className="row spread">
        <h1>Runs</h1>
        <span className="quiet" role="status">
          {pages.isPending ? 'Loading …' : `${runs.length}${pages.hasNextPage ? '+' : ''} runs`}
        </span>
      </div>
      <FilterBar view={view} />
      {error === null ? null : <Fault error={error} retry={() => void pages.refetch()} />}
      {!pages.isPending && runs.length === 0 && error === null ? (
        <Nothing isFiltered={Object.keys(view).length > 0} />
      ) : (
        <RunGrid runs={runs} now={newest.dataUpdatedAt} hasMore={pages.hasNextPage} loadMore={loadMore} />
      )}
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No run matches these filters">Take a filter away to see more runs.</Empty>
  return (
    <Empty title="There are no runs yet">
      Start one under <a href="/studio/play">Play</a>, or with <code>parley run</code>. It appears here as soon as it
      begins.
    </Empty>
  )
}

function toFilters({ status, agent, session, text, since, children }: RunListView, now = Date.now()): RunFilters {
  return {
    status,
    agent,
    text,
    sessionId: session,
    // A minute is kept, so that the filter is the same while the page is shown.
    since: since === undefined ? undefined : Math.floor((now - PERIODS[since]) / 60_000) * 60_000,
    roots: children === true ? undefined : true,
  }
}
