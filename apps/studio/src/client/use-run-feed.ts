import { useEffect, useState, useSyncExternalStore } from 'react'
import { openRunFeed, type FeedState, type RunFeed } from './run-feed.ts'
import { runsClient } from './studio-client.ts'

const NOTHING: FeedState = { entries: [], progress: new Map(), phase: 'loading' }
const never = (): (() => void) => () => {}

/** Follows a run while the component is on the page. */
export function useRunFeed(runId: string): FeedState {
  const [feed, setFeed] = useState<RunFeed>()
  useEffect(() => {
    const opened = openRunFeed(runsClient(), runId)
    setFeed(opened)
    return () => {
      opened.close()
      setFeed(undefined)
    }
  }, [runId])
  return useSyncExternalStore(feed?.subscribe ?? never, () => feed?.state() ?? NOTHING)
}
