import type { McpEvent } from './mcp-event.ts'
import type { RunEvent } from './run-event.ts'

interface RuntimeOrigin {
  /** Id of the runtime's worker. */
  readonly worker: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface RuntimeEventEnvelope extends RuntimeOrigin {
  /** The event bus always accepts the event, even if the subscriber's buffer is full. */
  readonly critical: true
}

/** What happened to a runtime's runs and resources when it was closed. */
export interface RuntimeEnd {
  /** Suggested exit code of the process: 1 if something was killed, abandoned or failed to close, otherwise 0. */
  readonly exitCode: 0 | 1
  /** Number of runs that ended by themselves in time. */
  readonly drained: number
  readonly cancelled: number
  /** Number of runs that were released to be resumed later. */
  readonly suspended: number
  /** Number of runs that did not stop in time. Their journals show them as unfinished. */
  readonly abandoned: number
  /** Number of resources, for example child processes, that had to be killed. */
  readonly killed: number
}

/** An event of a runtime that belongs to no run. Subscribers of the event bus receive it. */
export type RuntimeEvent =
  /** The runtime accepts no more runs. `runs` counts the active and the queued ones. */
  | (RuntimeEventEnvelope & { readonly type: 'runtime.closing'; readonly runs: number })
  /** The runtime drives no more runs. The counts include the resources that were closed before the event bus. */
  | (RuntimeEventEnvelope & RuntimeEnd & { readonly type: 'runtime.closed' })

/** An event that a resource of a runtime reports, for example an MCP server. */
export type ResourceEvent = McpEvent

/** An event that subscribers of an event bus receive. The runtime adds its worker and the time to the events of its resources. */
export type BusEvent = RunEvent | RuntimeEvent | (ResourceEvent & RuntimeOrigin)
/** Type name of a bus event. */
export type BusEventType = BusEvent['type']
