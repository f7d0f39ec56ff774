import { isEntryEvent, type LiveBus } from '@parley/core'
import type { Run } from '@parley/engine'

/** Publishes the run's ephemeral events on the live bus, until the run ends or is released. */
export function publishLiveEvents(run: Run, live: LiveBus | undefined): void {
  if (live === undefined) return
  const publish = async (): Promise<void> => {
    for await (const event of run) {
      // 'run.interrupted' is local: another worker continues the run.
      if (!isEntryEvent(event) && event.type !== 'run.interrupted' && event.runId === run.runId) live.publish(event)
    }
  }
  void publish()
}
