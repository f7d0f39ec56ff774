import { dollars, duration } from '../../elements/figures.ts'
import type { TimeScale } from '../../run-model/time-scale.ts'
import type { Span } from '../../run-model/timeline.ts'

export interface TimelineBarProps {
  readonly span: Span
  readonly scale: TimeScale
  readonly end: number
  /** Milliseconds. */
  readonly length: number
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

/** A span as a bar. The line below the bar of a model call is the share of the input that came from a cache. */
export function TimelineBar({ span, scale, end, length }: TimelineBarProps) {
  const from = scale.place(span.from)
  const to = Math.max(scale.place(end), from)
  const cached = cachedShare(span)
  const words =
    span.kind === 'mark' ? '' : [duration(length), ...(span.cost === undefined ? [] : [dollars(span.cost)])].join(' · ')
  const isRight = to > 0.8
  return (
    <svg className="bar" data-kind={span.kind} data-state={span.state} aria-hidden="true" focusable="false">
      <rect
        x={percent(from)}
        y="6"
        // A moment is visible, too.
        style={{ width: `max(2px, ${percent(to - from)})` }}
        height="14"
        rx="2"
        className="bar-body"
      />
      {cached > 0 ? (
        <rect x={percent(from)} y="21" width={percent((to - from) * cached)} height="2" className="bar-cache" />
      ) : null}
      <text x={percent(isRight ? from : to)} dx={isRight ? -6 : 6} y="17" textAnchor={isRight ? 'end' : 'start'}>
        {words}
      </text>
    </svg>
  )
}

function cachedShare({ usage }: Span): number {
  if (usage === undefined) return 0
  const all = usage.input + usage.cacheRead + usage.cacheWrite
  return all === 0 ? 0 : usage.cacheRead / all
}
