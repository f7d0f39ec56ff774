import type { Entry } from '@parley/core'
import { toTimeline, type Span, type Timeline } from '../../run-model/timeline.ts'

/** A row of the timeline: a span of the run, or of a child run that is opened below its call. */
export interface TimelineRow {
  readonly span: Span
  readonly depth: number
  readonly runId: string
}

/** Entries of the child runs that the reader opened, by id. */
export type OpenedRuns = ReadonlyMap<string, readonly Entry[]>

/** Puts the spans of opened child runs below the rows that started them. */
export function toRows(
  run: { runId: string; timeline: Timeline },
  opened: OpenedRuns,
  depth = 0,
): readonly TimelineRow[] {
  const { runId, timeline } = run
  return timeline.spans.flatMap(span => {
    const row = { span, depth, runId }
    const child = span.childRunId
    const entries = child === undefined ? undefined : opened.get(child)
    return child === undefined || entries === undefined
      ? [row]
      : [row, ...toRows({ runId: child, timeline: toTimeline(entries) }, opened, depth + 1)]
  })
}
