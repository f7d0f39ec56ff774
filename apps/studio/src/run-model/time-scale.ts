import type { Timeline } from './timeline.ts'

/** Maps times of a run to places from 0 to 1. */
export interface TimeScale {
  readonly place: (at: number) => number
  readonly timeAt: (place: number) => number
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly weight: number
}

/** The largest share of the width that one idle stretch takes, of the width of all other time. */
const IDLE_SHARE = 0.08

/** Draws time evenly, except stretches in which the run waited or had no worker: a wait of two days would hide all else. */
export function timeScale({ from, to, spans }: Pick<Timeline, 'from' | 'to' | 'spans'>, now = to): TimeScale {
  const end = Math.max(to, now, from + 1)
  const idle = idleStretches(spans, end)
  const idleMs = idle.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0)
  const least = Math.max(1, (end - from - idleMs) * IDLE_SHARE)
  const pieces: Piece[] = []
  let total = 0
  const push = (start: number, stop: number, weight: number): void => {
    if (stop <= start) return
    pieces.push({ from: start, to: stop, start: total, weight })
    total += weight
  }
  let at = from
  for (const stretch of idle) {
    push(at, stretch.from, stretch.from - at)
    push(stretch.from, stretch.to, Math.min(stretch.to - stretch.from, least))
    at = stretch.to
  }
  push(at, end, end - at)
  return { place: time => placeOf(pieces, total, time), timeAt: place => timeOf(pieces, place * total) }
}

/** The stretches without work, in order, without overlaps. */
function idleStretches(spans: Timeline['spans'], end: number): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  for (const span of spans) {
    if (span.kind !== 'wait' && span.kind !== 'gap') continue
    const from = Math.max(span.from, stretches.at(-1)?.to ?? span.from)
    const to = span.to ?? end
    if (to > from) stretches.push({ from, to })
  }
  return stretches
}

function placeOf(pieces: readonly Piece[], total: number, time: number): number {
  if (total === 0) return 0
  const piece = pieces.findLast(each => each.from <= time)
  if (piece === undefined) return 0
  const share = Math.min(1, (time - piece.from) / (piece.to - piece.from))
  return (piece.start + share * piece.weight) / total
}

function timeOf(pieces: readonly Piece[], weight: number): number {
  const piece = pieces.findLast(each => each.start <= weight) ?? pieces[0]
  if (piece === undefined) return 0
  return piece.from + Math.min(1, (weight - piece.start) / piece.weight) * (piece.to - piece.from)
}
