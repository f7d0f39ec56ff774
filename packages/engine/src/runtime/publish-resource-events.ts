import type { Clock, EventSink } from '@parley/core'
import type { Resource } from './close-resources.ts'

export interface ResourcePublisher {
  readonly bus: EventSink
  /** Name of the runtime in its events. */
  readonly worker: string
  readonly clock: Clock
}

/** Publishes the events of resources until they are closed. */
export function publishResourceEvents(resources: readonly Resource[], { bus, worker, clock }: ResourcePublisher): void {
  for (const resource of new Set(resources))
    resource.onEvent?.(event => bus.publish({ ...event, worker, at: clock.now() }))
}
