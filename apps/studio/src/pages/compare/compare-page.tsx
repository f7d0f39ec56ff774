import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { runQuery } from '../../client/queries.ts'
import { useRunFeed } from '../../client/use-run-feed.ts'
import { Empty } from '../../elements/empty.tsx'
import { Facts } from '../../elements/facts.tsx'
import { dollars, duration, shortId, tokens } from '../../elements/figures.ts'
import { Status } from '../../elements/status.tsx'
import { ConversationView } from '../run/conversation-view.tsx'

/** Runs side by side, live: the first one, and the runs that repeat it. */
export function ComparePage() {
  const { runs } = useSearch({ from: '/compare' })
  return (
    <div className="page tall">
      <h1>Compare runs</h1>
      {runs.length === 0 ? (
        <Empty title="No runs were chosen">
          Open a run and press <strong>Run again</strong>. The new runs appear here beside it.
        </Empty>
      ) : (
        <div className="columns" tabIndex={0} role="region" aria-label="Runs side by side">
          {runs.map((runId, index) => (
            <Column key={runId} runId={runId} title={index === 0 ? 'First run' : `Repetition ${index}`} />
          ))}
        </div>
      )}
    </div>
  )
}

function Column({ runId, title }: { readonly runId: string; readonly title: string }) {
  const { entries, live, progress, phase } = useRunFeed(runId)
  const { data: run, refetch } = useQuery({ ...runQuery(runId), refetchInterval: phase === 'ended' ? false : 2000 })
  // The query may have read the run before its end.
  useEffect(() => {
    if (phase === 'ended') void refetch()
  }, [phase, refetch])
  return (
    <section className="column" aria-label={title}>
      <h2 className="row spread">
        <Link to="/runs/$runId" params={{ runId }}>
          {title}
        </Link>
        <span className="quiet small mono">{shortId(runId)}</span>
      </h2>
      {run === undefined ? null : (
        <Facts
          facts={[
            ['Status', <Status key="status" status={run.status} />],
            ['Model', run.model],
            ['Cost', dollars(run.cost?.usd)],
            ['Tokens out', tokens(run.usage.output)],
            ['Duration', duration(run.updatedAt - run.startedAt)],
            ['Turns', run.turns],
          ]}
        />
      )}
      <ConversationView {...{ entries, live, progress }} isLoading={phase === 'loading'} />
    </section>
  )
}
