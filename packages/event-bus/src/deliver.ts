import type { BusEvent, Clock, DeadLetter, EventOrigin } from '@parley/core'
import type { EventHandler } from './event-bus.ts'

/** An event on its way to one subscriber. */
export interface Mail extends EventOrigin {
  readonly event: BusEvent
  /** Id of the dead letter that a redrive took the event from. */
  readonly letterId: string | undefined
  /** Number of attempts before the redrive. */
  readonly attempts: number
}

export interface FailedDelivery {
  readonly reason: DeadLetter['reason']
  readonly detail: string
}

export interface DeliverOptions {
  readonly attempt: number
  readonly clock: Clock
  readonly timeoutMs: number
  /** Aborted when the subscriber leaves or the bus closes. */
  readonly left: AbortSignal
}

/**
 * Calls a handler once. Returns `undefined` if the handler resolves. Always settles: a handler that hangs fails with
 * `timeout`.
 */
export async function deliver(
  handler: EventHandler,
  { event, agent, scope }: Mail,
  { attempt, clock, timeoutMs, left }: DeliverOptions,
): Promise<FailedDelivery | undefined> {
  const controller = new AbortController()
  const stopped = Promise.withResolvers<FailedDelivery>()
  const halt = (failure: FailedDelivery, reason: unknown): void => {
    stopped.resolve(failure)
    controller.abort(reason)
  }
  const onLeft = (): void => halt({ reason: 'closed', detail: '' }, left.reason)
  left.addEventListener('abort', onLeft, { once: true })
  const callOff = clock.after(timeoutMs, () => {
    const detail = `did not settle within ${timeoutMs} ms`
    halt({ reason: 'timeout', detail }, new DOMException(`The subscriber ${detail}.`, 'TimeoutError'))
  })
  const handling = async (): Promise<undefined> => {
    await handler(event, { signal: controller.signal, attempt, agent, scope })
  }
  try {
    return await Promise.race([stopped.promise, handling()])
  } catch (error) {
    return { reason: 'failed', detail: error instanceof Error ? error.message : String(error) }
  } finally {
    callOff()
    left.removeEventListener('abort', onLeft)
  }
}
