import type { Mark } from '../process/mark.ts'
import type { CrashPoint } from './crash-point.ts'

/** A point, in words, and the call that it is about. */
export interface PlannedPoint {
  readonly point: CrashPoint
  readonly words: string
  /** The call whose handler has ended directly before the point. Looking at the world would delay the kill. */
  readonly unseen?: string | undefined
}

/** Changes of one handler after which the process is killed. */
const MOST_CHANGES = 6

/**
 * Lists the points at which a run can be killed, from the marks of a run that was not killed. If nothing happens between two
 * appends, the kill after the first one also is the kill before the second one.
 */
export function planPoints(marks: readonly Mark[]): readonly PlannedPoint[] {
  return marks.flatMap((mark, index) => {
    if (mark.type === 'append')
      return aroundAppend(mark, marks[index - 1]?.type === 'append' ? ['after'] : ['before', 'after'])
    if (mark.type === 'touch' && mark.call !== undefined && !mark.isLate && mark.number <= MOST_CHANGES) {
      const { run, callId, tool } = mark.call
      const point = { type: 'change', run, callId, change: mark.number } as const
      return [{ point, words: `inside ${tool}, after its change ${mark.number} (${mark.what})` }]
    }
    if (mark.type === 'return' && mark.handler === 'execute') {
      const { run, callId, tool, id } = mark.call
      const words = `after ${tool} has returned, before its result is durable`
      return [{ point: { type: 'end', run, callId } as const, words, unseen: id }]
    }
    return []
  })
}

function aroundAppend(
  { run, entries }: Extract<Mark, { type: 'append' }>,
  sides: readonly ('before' | 'after')[],
): readonly PlannedPoint[] {
  const last = entries.at(-1)
  if (last === undefined) return []
  const named = entries.map(({ type, tool }) => (tool === undefined ? type : `${type} of ${tool}`))
  const ended = entries.findLast(({ type }) => type === 'tool.ended')
  const unseen = ended?.callId === undefined ? undefined : `${run}/${ended.callId}`
  return sides.map(type => ({
    point: { type, run, seq: last.seq },
    words: `${type} the entry ${named.join(', ')} is durable${run === '' ? '' : ' in a child run'}`,
    unseen,
  }))
}
