import type { JournalAppend, Store } from '@parley/core'
import type { CrashPoint } from '../points/crash-point.ts'
import type { MarkWriter } from './mark-writer.ts'
import type { RunNames } from './run-names.ts'

export interface MortalStoreOptions {
  readonly names: RunNames
  readonly marks: MarkWriter
  readonly point: CrashPoint | undefined
  /** Called after each append. */
  readonly onAppended: (append: JournalAppend) => void
}

/** Wraps a store: marks each append, and kills the process around the append of the point. */
export function createMortalStore(store: Store, { names, marks, point, onAppended }: MortalStoreOptions): Store {
  const append: Store['append'] = async (given, options) => {
    const { runId, entries } = given
    names.learn(runId, entries)
    const run = names.nameOf(runId)
    const isPoint = isAround(point) && point.run === run && entries.some(({ seq }) => seq === point.seq)
    if (isPoint && point.type === 'before') marks.kill()
    marks.write({ type: 'append', run, entries: entries.map(toMarked) })
    await store.append(given, options)
    if (isPoint) marks.kill()
    onAppended(given)
  }
  return new Proxy(store, {
    get(target, key) {
      if (key === 'append') return append
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value
    },
  })
}

function isAround(point: CrashPoint | undefined): point is Extract<CrashPoint, { type: 'before' | 'after' }> {
  return point?.type === 'before' || point?.type === 'after'
}

function toMarked(entry: JournalAppend['entries'][number]) {
  const { seq, type } = entry
  return 'callId' in entry && 'name' in entry ? { seq, type, callId: entry.callId, tool: entry.name } : { seq, type }
}
