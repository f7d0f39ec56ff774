import type { RunRecord } from '@parley/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { ago, dollars, duration, tokens } from '../../elements/figures.ts'
import { Status } from '../../elements/status.tsx'

export interface RunGridProps {
  readonly runs: readonly RunRecord[]
  /** Time of the server's answer, for ages. */
  readonly now: number
  readonly hasMore: boolean
  readonly loadMore: () => void
}

const HEIGHT = 40
const NAMES = ['Status', 'Input', 'Agent', 'Model', 'Started', 'Duration', 'Tokens', 'Cost']

/** The table of runs. Only the visible rows exist in the page. */
export function RunGrid({ runs, now, hasMore, loadMore }: RunGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 12,
    getItemKey: index => runs[index]?.runId ?? index,
  })
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= runs.length - 30) loadMore()
  }, [hasMore, last, runs.length, loadMore])
  return (
    <div
      ref={scroller}
      className="grid runs-grid"
      role="table"
      aria-label="Runs"
      aria-rowcount={runs.length + 1}
      tabIndex={0}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        {NAMES.map((name, index) => (
          <span key={name} role="columnheader" className={index >= 5 ? 'right' : undefined}>
            {name}
          </span>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const run = runs[index]
          return run === undefined ? null : <Row key={run.runId} run={run} index={index} top={start} now={now} />
        })}
      </div>
    </div>
  )
}

interface RowProps {
  readonly run: RunRecord
  readonly index: number
  readonly top: number
  readonly now: number
}

function Row({ run, index, top, now }: RowProps) {
  const isEnded = run.status !== 'running' && run.status !== 'suspended'
  const total = run.usage === undefined ? undefined : run.usage.input + run.usage.output + run.usage.cacheRead
  return (
    <div className="grid-row" role="row" aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }}>
      <span role="cell">
        <Status status={run.status} />
      </span>
      <span role="cell">
        <Link to="/runs/$runId" params={{ runId: run.runId }}>
          {run.preview ?? `(${run.relation} without input)`}
        </Link>
      </span>
      <span role="cell">
        {run.agent}
        {run.relation === 'initial' || run.relation === 'continue' ? null : (
          <span className="quiet small"> {run.relation}</span>
        )}
      </span>
      <span role="cell" className="quiet" title={run.model}>
        {run.model?.split('/').at(-1) ?? '–'}
      </span>
      <span role="cell" title={new Date(run.startedAt).toLocaleString()}>
        {ago(run.startedAt, now)}
      </span>
      <span role="cell" className="right">
        {duration((isEnded ? run.updatedAt : Math.max(now, run.updatedAt)) - run.startedAt)}
      </span>
      <span role="cell" className="right">
        {total === undefined ? '–' : tokens(total)}
      </span>
      <span role="cell" className="right">
        {dollars(run.cost?.usd)}
      </span>
    </div>
  )
}
