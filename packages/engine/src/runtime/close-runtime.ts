import {
  ParleyError,
  toErrorInfo,
  settlesWithin,
  type Clock,
  type ErrorInfo,
  type EventSink,
  type RuntimeEnd,
  type RuntimeEvent,
} from '@parley/core'
import { closeResources, type ClosedResources, type Resource } from './close-resources.ts'
import type { RunHandle } from '../loop/run-handle.ts'

/** Options of `runtime.close`. */
export interface CloseOptions {
  /** Milliseconds that runs get to end by themselves. @default 30_000 */
  readonly drainMs?: number | undefined
  /** Milliseconds that stopped runs, the bus and each resource get to finish. @default 5_000 */
  readonly graceMs?: number | undefined
  /** What happens to runs that have not ended after `drainMs`. @default the runtime's `onClose` */
  readonly onClose?: 'cancel' | 'suspend' | undefined
}

/** How a runtime closed. */
export interface CloseReport extends RuntimeEnd {
  /** Errors of what failed to close, in the order of closing. */
  readonly errors: readonly ErrorInfo[]
}

export interface Closing {
  /** Name of the runtime in its events. */
  readonly worker: string
  readonly runs: readonly RunHandle[]
  readonly clock: Clock
  readonly onClose: 'cancel' | 'suspend'
  readonly bus: EventSink | undefined
  readonly resources: readonly Resource[]
  /** Called when no run is driven any more. */
  readonly onStopped: () => void
}

/**
 * Waits for runs, stops the rest, flushes the bus and closes the resources in reverse order, each once. The bus receives an
 * event at the beginning, and one before it is closed itself. Never rejects and never hangs.
 */
export async function closeRuntime(
  closing: Closing,
  { drainMs = 30_000, graceMs = 5_000 }: CloseOptions,
): Promise<CloseReport> {
  const { runs, clock, bus, resources, onStopped, worker } = closing
  const tell = (event: RuntimeEventBody): void => bus?.publish({ ...event, worker, at: clock.now(), critical: true })
  tell({ type: 'runtime.closing', runs: runs.length })
  const stopped = await stopRuns(closing, { drainMs, graceMs })
  onStopped()
  const flushing = async (): Promise<readonly ErrorInfo[]> => (bus === undefined ? [] : flush(bus, clock, graceMs))
  const unflushed = await flushing()
  const { early, late } = closingOrder(resources, bus)
  const before = await closeResources(early, { clock, graceMs })
  const { killed } = before
  tell({
    type: 'runtime.closed',
    ...stopped,
    killed,
    exitCode: exitCode(stopped, [{ killed: 0, errors: unflushed }, before]),
  })
  // Subscribers that did not take the earlier events in time will not take this one.
  const untold = unflushed.length > 0 ? [] : await flushing()
  const after = await closeResources(late, { clock, graceMs })
  const parts = [{ killed: 0, errors: unflushed }, before, { killed: 0, errors: untold }, after]
  return {
    exitCode: exitCode(stopped, parts),
    ...stopped,
    killed: parts.reduce((sum, part) => sum + part.killed, 0),
    errors: parts.flatMap(part => part.errors),
  }
}

interface ClosingOrder {
  readonly early: readonly Resource[]
  /** The bus and what is closed after it. */
  readonly late: readonly Resource[]
}

/**
 * Returns the resources in reverse order. A resource that reports events is always closed before the bus, because the
 * bus would otherwise miss its last event.
 */
function closingOrder(resources: readonly Resource[], bus: EventSink | undefined): ClosingOrder {
  const order: readonly Resource[] = [...new Set(resources.toReversed())]
  const place = order.findIndex(resource => Object.is(resource, bus))
  if (place < 0) return { early: order, late: [] }
  const [first, rest] = [order.slice(0, place), order.slice(place)]
  return {
    early: [...first, ...rest.filter(resource => resource.onEvent !== undefined)],
    late: rest.filter(resource => resource.onEvent === undefined),
  }
}

type RuntimeEventBody =
  | Omit<Extract<RuntimeEvent, { type: 'runtime.closing' }>, 'worker' | 'at' | 'critical'>
  | Omit<Extract<RuntimeEvent, { type: 'runtime.closed' }>, 'worker' | 'at' | 'critical'>

type StoppedRuns = Pick<CloseReport, 'drained' | 'cancelled' | 'suspended' | 'abandoned'>

async function stopRuns(
  { runs, clock, onClose }: Closing,
  { drainMs, graceMs }: { readonly drainMs: number; readonly graceMs: number },
): Promise<StoppedRuns> {
  await settlesWithin(Promise.all(runs.map(run => run.settled)), drainMs, clock)
  const left = runs.filter(run => !run.over)
  const stopping = left.map(run => (onClose === 'suspend' ? run.release() : run.cancel({ kind: 'shutdown' })))
  if (left.length > 0) await settlesWithin(Promise.all(stopping), graceMs, clock)
  const abandoned = left.filter(run => !run.over).length
  const results = await Promise.all(left.filter(run => run.over).map(run => run.settled))
  const suspended = results.filter(result => result.status === 'suspended').length
  return { drained: runs.length - left.length, cancelled: results.length - suspended, suspended, abandoned }
}

function exitCode({ abandoned }: StoppedRuns, parts: readonly ClosedResources[]): 0 | 1 {
  return abandoned === 0 && parts.every(({ killed, errors }) => killed + errors.length === 0) ? 0 : 1
}

/**
 * Waits until the bus has delivered its events. Events that are not delivered in time stay in the bus, which keeps them
 * as dead letters when it closes.
 */
async function flush(bus: EventSink, clock: Clock, graceMs: number): Promise<readonly ErrorInfo[]> {
  const flushing = bus.flush()
  if (!(await settlesWithin(flushing, graceMs, clock))) {
    const detail = `the event bus was not empty after ${graceMs} ms`
    return [new ParleyError({ code: 'internal', detail }).info]
  }
  return flushing.then(
    () => [],
    error => [toErrorInfo(error)],
  )
}
