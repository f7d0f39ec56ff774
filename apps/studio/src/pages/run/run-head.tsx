import type { RunDetail } from '@parley/runs-api'
import { Link } from '@tanstack/react-router'
import type { FeedState } from '../../client/run-feed.ts'
import { Facts } from '../../elements/facts.tsx'
import { dollars, duration, shortId, tokens } from '../../elements/figures.ts'
import { Status } from '../../elements/status.tsx'

export interface RunHeadProps {
  readonly runId: string
  readonly run: RunDetail | undefined
  readonly feed: FeedState
}

/** What a run is: its input, its state, its figures. */
export function RunHead({ runId, run, feed }: RunHeadProps) {
  return (
    <header className="stack">
      <div className="row spread">
        <h1 className="run-title">{run?.preview ?? `Run ${shortId(runId)}`}</h1>
        <span className="quiet small" role="status">
          {PHASES[feed.phase]}
          {feed.phase === 'loading' && feed.total !== undefined
            ? ` ${feed.entries.length} of ${feed.total} entries`
            : ''}
        </span>
      </div>
      {run === undefined ? null : <RunFacts run={run} />}
    </header>
  )
}

const PHASES: Readonly<Record<FeedState['phase'], string>> = {
  loading: 'Loading',
  following: 'Live',
  waiting: 'The connection broke. It is opened again …',
  ended: 'Ended',
  failed: 'Stopped following',
}

function RunFacts({ run }: { readonly run: RunDetail }) {
  const { usage } = run
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  return (
    <Facts
      facts={[
        ['Status', <Status key="status" status={run.status} />],
        ['Agent', run.agent],
        ['Model', run.model],
        ['Cost', dollars(run.cost?.usd)],
        ['Tokens', `${tokens(input)} in, ${tokens(usage.output)} out`],
        ['From cache', input === 0 ? undefined : `${Math.round((usage.cacheRead / input) * 100)} %`],
        ['Duration', duration(run.updatedAt - run.startedAt)],
        ['Turns', run.turns],
        [
          'Session',
          <Link key="session" to="/" search={{ session: run.sessionId }}>
            {shortId(run.sessionId)}
          </Link>,
        ],
        ['Run', <code key="run">{run.runId}</code>],
        ['Parent run', linkTo(run.call?.runId)],
        ['Continues', linkTo(run.base?.runId)],
        ['Repeats', linkTo(run.origin)],
      ]}
    />
  )
}

function linkTo(runId: string | undefined) {
  if (runId === undefined) return undefined
  return (
    <Link to="/runs/$runId" params={{ runId }}>
      {shortId(runId)}
    </Link>
  )
}
