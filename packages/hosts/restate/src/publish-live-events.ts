import { isEntryEvent, type LiveBus } from '@parley/core'
import type { Run } from '@parley/engine'

/** Shows what only a live watcher sees. */
export function showLive(run: Run, live: LiveBus | undefined): void {
  if (live === undefined) return
  const show = async (): Promise<void> => {
    for await (const event of run) {
      // A run that is let go here goes on elsewhere.
      if (!isEntryEvent(event) && event.type !== 'run.interrupted' && event.runId === run.runId) live.publish(event)
    }
  }
  void show()
}
