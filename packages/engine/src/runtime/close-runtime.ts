import { ParleyError, toErrorInfo, type Clock, type ErrorInfo } from '@parley/core'
import type { EventBus } from '../bus/event-bus.ts'
import { closeResources, type Resource } from './close-resources.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { settlesWithin } from './settles-within.ts'

export interface CloseOptions {
  /** How long runs may go on to their end. @default 30_000 */
  readonly drainMs?: number | undefined
  /** How long stopped runs, the bus and each resource may take to be done. @default 5_000 */
  readonly graceMs?: number | undefined
  /** What happens to runs that have not ended by then. @default the runtime's `onClose` */
  readonly onClose?: 'cancel' | 'suspend' | undefined
}

/** How a runtime came to its end. */
export interface CloseReport {
  /** What a process may end with: 1 when something had to be killed, was left behind or failed to close, else 0. */
  readonly exitCode: 0 | 1
  /** Runs that came to their end by themselves. */
  readonly drained: number
  readonly cancelled: number
  /** Runs let go to be resumed later. */
  readonly suspended: number
  /** Runs that did not stop in time. Their journals say so: they are unfinished. */
  readonly abandoned: number
  /** Resources, child processes say, that had to be killed. */
  readonly killed: number
  /** What failed to close, in the order of closing. */
  readonly errors: readonly ErrorInfo[]
}

export interface Closing {
  readonly runs: readonly RunHandle[]
  readonly clock: Clock
  readonly onClose: 'cancel' | 'suspend'
  readonly bus: EventBus | undefined
  readonly resources: readonly Resource[]
  /** Called once no run is driven any more. */
  readonly onStopped: () => void
}

/** Drains, stops what is left, flushes the bus, closes the resources. Never rejects and never hangs. */
export async function closeRuntime(
  { runs, clock, onClose, bus, resources, onStopped }: Closing,
  { drainMs = 30_000, graceMs = 5_000 }: CloseOptions,
): Promise<CloseReport> {
  await settlesWithin(clock, drainMs, Promise.all(runs.map(run => run.result)))
  const left = runs.filter(run => !run.over)
  const stopping = left.map(run => (onClose === 'suspend' ? run.letGo() : run.cancel({ kind: 'shutdown' })))
  if (left.length > 0) await settlesWithin(clock, graceMs, Promise.all(stopping))
  const abandoned = left.filter(run => !run.over).length
  const results = await Promise.all(left.filter(run => run.over).map(run => run.result))
  const suspended = results.filter(result => result.status === 'suspended').length
  onStopped()
  const unflushed = bus === undefined ? [] : await flush(bus, clock, graceMs)
  const { killed, errors } = await closeResources(resources, { clock, graceMs })
  const unclean = abandoned + killed + unflushed.length + errors.length
  return {
    exitCode: unclean === 0 ? 0 : 1,
    drained: runs.length - left.length,
    cancelled: results.length - suspended,
    suspended,
    abandoned,
    killed,
    errors: [...unflushed, ...errors],
  }
}

/** What is not delivered in time stays with the bus, which keeps it as dead letters when it is closed. */
async function flush(bus: EventBus, clock: Clock, graceMs: number): Promise<readonly ErrorInfo[]> {
  const flushing = bus.flush()
  if (!(await settlesWithin(clock, graceMs, flushing))) {
    const detail = `the event bus was not empty after ${graceMs} ms`
    return [new ParleyError({ code: 'internal', detail }).info]
  }
  return flushing.then(
    () => [],
    error => [toErrorInfo(error)],
  )
}
