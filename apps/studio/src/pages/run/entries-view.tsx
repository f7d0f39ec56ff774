import type { Entry } from '@parley/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type KeyboardEvent } from 'react'
import { duration } from '../../elements/figures.ts'
import { entrySentence } from '../../run-model/entry-sentence.ts'

export interface EntriesViewProps {
  readonly entries: readonly Entry[]
  readonly chosen: number | undefined
  readonly choose: (seq: number) => void
}

const HEIGHT = 30

/** Every entry of the journal in one line. The arrow keys move the choice. */
export function EntriesView({ entries, chosen, choose }: EntriesViewProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 20,
  })
  const from = entries[0]?.at ?? 0
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = entries[Math.min(Math.max((chosen ?? 0) - 1 + step, 0), entries.length - 1)]
    if (next === undefined) return
    choose(next.seq)
    list.scrollToIndex(next.seq - 1)
  }
  return (
    <div
      ref={scroller}
      className="entries"
      role="listbox"
      aria-label="Entries"
      tabIndex={0}
      onKeyDown={move}
      aria-activedescendant={chosen === undefined ? undefined : `entry-${chosen}`}
    >
      <div className="grid-body" role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index]
          if (entry === undefined) return null
          return (
            <div
              key={entry.seq}
              id={`entry-${entry.seq}`}
              role="option"
              aria-selected={entry.seq === chosen}
              className="entry"
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => choose(entry.seq)}
            >
              <span className="quiet right">{entry.seq}</span>
              <span className="mono">{entry.type}</span>
              <span className="entry-text">{entrySentence(entry)}</span>
              <span className="quiet right">+{duration(entry.at - from)}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
