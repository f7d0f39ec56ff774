import type { Entry } from '@parley/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { infoQuery, runQuery } from '../../client/queries.ts'
import type { FeedState } from '../../client/run-feed.ts'
import { useRunFeed } from '../../client/use-run-feed.ts'
import { Fault } from '../../elements/fault.tsx'
import { ConversationView } from './conversation-view.tsx'
import { EntriesView } from './entries-view.tsx'
import { EntryInspector } from './entry-inspector.tsx'
import { PendingRequests } from './pending-requests.tsx'
import { RunHead } from './run-head.tsx'
import type { RunTab, RunView } from './run-view.ts'
import { Scrubber } from './scrubber.tsx'
import { TimelineView } from './timeline-view.tsx'
import { useNow } from './use-now.ts'
import { VerbBar } from './verbs/verb-bar.tsx'

/** One run, live: its time, its conversation, its entries, and what can be done with it. */
export function RunPage() {
  const { runId } = useParams({ from: '/runs/$runId' })
  return <OneRun key={runId} runId={runId} />
}

/** Milliseconds between two looks at the figures of a run at work. */
const FIGURES = 2000

/** Whether an entry changes what the head of the page shows. */
function isTurn({ type }: Entry): boolean {
  return type.startsWith('run.') || type.startsWith('approval.') || type === 'agent.suspended'
}

function lastTurn(entries: readonly Entry[]): number | undefined {
  return entries.findLast(isTurn)?.seq
}

function OneRun({ runId }: { readonly runId: string }) {
  const view = useSearch({ from: '/runs/$runId' })
  const navigate = useNavigate()
  const info = useQuery(infoQuery)
  const feed = useRunFeed(runId)
  // The server reads the whole journal for the figures of the head.
  const run = useQuery({ ...runQuery(runId), refetchInterval: feed.phase === 'following' ? FIGURES : false })
  const count = feed.entries.length
  const isLoading = feed.phase === 'loading'
  const turnedAt = useMemo(() => (isLoading ? undefined : lastTurn(feed.entries)), [feed.entries, isLoading])
  const { refetch } = run
  useEffect(() => {
    if (turnedAt !== undefined) void refetch()
  }, [turnedAt, feed.phase, refetch])

  const change = useCallback(
    (changes: Partial<RunView>) => {
      void navigate({
        to: '/runs/$runId',
        params: { runId },
        search: before => ({ ...before, ...changes }),
        replace: true,
      })
    },
    [navigate, runId],
  )
  const choose = useCallback((seq: number) => change({ seq }), [change])
  const move = useCallback((upto: number | undefined) => change({ upto }), [change])

  const deferred = useDeferredValue(feed.entries)
  const entries = useMemo(
    () => (view.upto === undefined ? deferred : deferred.slice(0, view.upto)),
    [deferred, view.upto],
  )
  const isLive = feed.phase === 'following' && run.data?.status === 'running'
  const now = useNow(isLive && view.upto === undefined)
  const live = view.upto === undefined ? feed.live : undefined
  const chosen = view.seq === undefined ? undefined : feed.entries[view.seq - 1]

  if (feed.phase === 'failed' && count === 0) {
    return (
      <div className="page">
        <h1>Run</h1>
        <Fault error={feed.error} />
        <p>
          Go to the <Link to="/">list of runs</Link>.
        </p>
      </div>
    )
  }
  const access = info.data?.access ?? 'viewer'
  return (
    <div className="page tall">
      <RunHead runId={runId} run={run.data} feed={feed} />
      {run.data === undefined ? null : <VerbBar run={run.data} access={access} />}
      {run.data === undefined || access === 'viewer' ? null : <PendingRequests run={run.data} />}
      {feed.error === undefined ? null : <Fault error={feed.error} />}
      <div className={chosen === undefined ? 'run-body' : 'run-body split'}>
        <RunTabs
          {...{ runId, view, entries, now, live, choose, change }}
          progress={feed.progress}
          isLoading={feed.phase === 'loading'}
        />
        {chosen === undefined ? null : (
          <EntryInspector
            key={chosen.seq}
            runId={runId}
            entry={chosen}
            requests={run.data?.requests ?? []}
            canChange={access !== 'viewer'}
            replayTo={move}
            close={() => change({ seq: undefined })}
          />
        )}
      </div>
      <Scrubber last={count} upto={view.upto} move={move} />
    </div>
  )
}

interface RunTabsProps extends Pick<FeedState, 'entries' | 'live' | 'progress'> {
  readonly runId: string
  readonly view: RunView
  readonly now: number | undefined
  readonly choose: (seq: number) => void
  readonly change: (changes: Partial<RunView>) => void
  readonly isLoading: boolean
}

function RunTabs({ runId, view, entries, live, progress, now, choose, change, isLoading }: RunTabsProps) {
  return (
    <Tabs
      className="run-tabs"
      selectedKey={view.tab ?? 'timeline'}
      onSelectionChange={tab => change({ tab: tab as RunTab })}
    >
      <TabList className="tabs" aria-label="Views of the run">
        <Tab id="timeline">Timeline</Tab>
        <Tab id="conversation">Conversation</Tab>
        <Tab id="entries">Entries</Tab>
      </TabList>
      <TabPanel id="timeline" className="run-panel">
        <TimelineView {...{ runId, entries, now, choose }} chosen={view.seq} />
      </TabPanel>
      <TabPanel id="conversation" className="run-panel">
        <ConversationView {...{ entries, live, progress, choose, isLoading }} chosen={view.seq} />
      </TabPanel>
      <TabPanel id="entries" className="run-panel">
        <EntriesView {...{ entries, choose }} chosen={view.seq} />
      </TabPanel>
    </Tabs>
  )
}
