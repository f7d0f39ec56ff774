import type { Entry } from '@parley/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Empty } from '../../elements/empty.tsx'
import { dollars, duration } from '../../elements/figures.ts'
import { timeScale, type TimeScale } from '../../run-model/time-scale.ts'
import { toTimeline } from '../../run-model/timeline.ts'
import { ChildEntries } from './child-entries.tsx'
import { CostRibbon } from './cost-ribbon.tsx'
import { TimelineBar } from './timeline-bar.tsx'
import { toRows, type TimelineRow } from './timeline-rows.ts'

export interface TimelineViewProps {
  readonly runId: string
  readonly entries: readonly Entry[]
  /** Time of the last picture, for a run that works. */
  readonly now?: number | undefined
  readonly chosen: number | undefined
  readonly choose: (seq: number) => void
}

const HEIGHT = 28

/** A run over time: one row for each model call, tool call, child run and wait. */
export function TimelineView({ runId, entries, now, chosen, choose }: TimelineViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly Entry[]>>(new Map())
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set())
  const timeline = useMemo(() => toTimeline(entries), [entries])
  const rows = useMemo(() => toRows({ runId, timeline }, opened), [runId, timeline, opened])
  const scale = useMemo(() => timeScale(timeline, now), [timeline, now])
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 10,
  })
  const toggle = (child: string): void => {
    const isOpen = asked.has(child)
    setAsked(new Set(isOpen ? [...asked].filter(id => id !== child) : [...asked, child]))
    if (isOpen) setOpened(new Map([...opened].filter(([id]) => id !== child)))
  }
  if (rows.length === 0) return <Empty title="Nothing has happened yet">The first model call appears here.</Empty>
  return (
    <div className="timeline">
      {[...asked].map(child => (
        <ChildEntries
          key={child}
          runId={child}
          show={found => setOpened(before => new Map(before).set(child, found))}
        />
      ))}
      <Axis scale={scale} from={timeline.from} total={timeline.costs.at(-1)?.usd} />
      <CostRibbon costs={timeline.costs} scale={scale} />
      <div ref={scroller} className="timeline-rows" tabIndex={0} role="list" aria-label="Timeline">
        <div className="grid-body" role="presentation" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const isChosen = row.depth === 0 && row.span.seq === chosen
            return (
              <Row
                key={`${row.runId}/${row.span.id}`}
                {...{ row, scale, isChosen, toggle }}
                top={start}
                now={now}
                choose={choose}
                isOpen={row.span.childRunId !== undefined && asked.has(row.span.childRunId)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

const TICKS = [0, 0.25, 0.5, 0.75, 1]

function Axis(props: { readonly scale: TimeScale; readonly from: number; readonly total: number | undefined }) {
  const { scale, from, total } = props
  return (
    <div className="axis small quiet" aria-hidden="true">
      <span>{total === undefined ? '' : dollars(total)}</span>
      <span className="ticks">
        {TICKS.map(tick => (
          <span key={tick}>{duration(scale.timeAt(tick) - from)}</span>
        ))}
      </span>
    </div>
  )
}

interface RowProps {
  readonly row: TimelineRow
  readonly scale: TimeScale
  readonly now: number | undefined
  readonly top: number
  readonly isChosen: boolean
  readonly isOpen: boolean
  readonly choose: (seq: number) => void
  readonly toggle: (childRunId: string) => void
}

function Row({ row, scale, now, top, isChosen, isOpen, choose, toggle }: RowProps) {
  const { span, depth } = row
  const child = span.childRunId
  const length = (span.to ?? Math.max(now ?? 0, span.from)) - span.from
  return (
    <div
      className="timeline-row"
      role="listitem"
      data-chosen={isChosen ? '' : undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className="timeline-label" style={{ paddingLeft: depth * 16 }}>
        {child === undefined ? null : (
          <button
            type="button"
            className="fold"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the child run of ${span.label}`}
            onClick={() => toggle(child)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <button
          type="button"
          className="timeline-name"
          disabled={depth > 0}
          aria-pressed={isChosen}
          onClick={() => choose(span.seq)}
          title={span.note ?? span.label}
        >
          {span.label}
          <span className="hidden-label">
            {`, ${span.kind}, ${span.to === undefined ? 'goes on' : duration(length)}${span.state === 'failed' ? ', failed' : ''}`}
          </span>
        </button>
      </span>
      <TimelineBar span={span} scale={scale} end={span.to ?? now ?? span.from} length={length} />
    </div>
  )
}
