import type { Entry } from '@parley/core'
import { useEffect, useRef } from 'react'
import { useRunFeed } from '../../client/use-run-feed.ts'

export interface ChildEntriesProps {
  readonly runId: string
  readonly show: (entries: readonly Entry[]) => void
}

/** Follows a child run whose rows the timeline shows. */
export function ChildEntries({ runId, show }: ChildEntriesProps) {
  const { entries } = useRunFeed(runId)
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    if (entries.length > 0) latest.current(entries)
  }, [entries])
  return null
}
