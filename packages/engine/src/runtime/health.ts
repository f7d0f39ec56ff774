import {
  type ErrorCode,
  type ErrorInfo,
  ParleyError,
  toErrorInfo,
  settlesWithin,
  type Clock,
  type EventSink,
  type EventSinkStats,
  type Store,
} from '@parley/core'

/** The state of a runtime. */
export interface Health {
  /** Whether the runtime starts runs. */
  readonly alive: boolean
  /** Runs that this process drives, without runs that wait for a place under a quota. */
  readonly activeRuns: number
  readonly queuedRuns: number
  /** The last model call of this process. Absent before the first one. */
  readonly lastModelCall?: LastModelCall
  readonly store: 'ok' | 'none' | { readonly error: ErrorInfo }
  /** The state of the event bus, or why it could not be read. Absent without an event bus. */
  readonly bus?: BusHealth | { readonly error: ErrorInfo }
}

/** When the last model call of a runtime ended, and how. */
export interface LastModelCall {
  /** When the call ended, milliseconds since the epoch. */
  readonly at: number
  readonly status: 'success' | { readonly error: ErrorCode }
}

/** How far the subscribers of the bus are behind. */
export interface BusHealth {
  readonly subscribers: number
  /** Undelivered events of all subscribers. */
  readonly backlog: number
  readonly deadLetters: number
}

/** How long a store gets to answer a probe. */
const PROBE_MS = 5_000

export interface HealthProbe {
  readonly store: Store | undefined
  readonly bus: EventSink | undefined
  readonly clock: Clock
}

/** The state of the runtime's store and bus. Resolves even if the store never answers. */
export async function checkHealth({ store, bus, clock }: HealthProbe): Promise<Pick<Health, 'store' | 'bus'>> {
  const [probed, stats] = await Promise.all([
    store === undefined ? undefined : probe(clock, store.name, () => store.runs({ scope: 'default', limit: 1 })),
    bus === undefined ? undefined : probe(clock, 'dead letters', async () => toBusHealth(await bus.stats())),
  ])
  return {
    store: probed === undefined ? 'none' : 'error' in probed ? probed : 'ok',
    ...(stats === undefined ? {} : { bus: 'error' in stats ? stats : stats.value }),
  }
}

function toBusHealth({ subscribers, deadLetters }: EventSinkStats): BusHealth {
  const backlog = subscribers.reduce((sum, subscriber) => sum + subscriber.backlog, 0)
  return { subscribers: subscribers.length, backlog, deadLetters }
}

async function probe<TValue>(
  clock: Clock,
  store: string,
  ask: () => Promise<TValue>,
): Promise<{ readonly value: TValue } | { readonly error: ErrorInfo }> {
  try {
    const asking = ask()
    if (await settlesWithin(asking, PROBE_MS, clock)) return { value: await asking }
    const detail = `the store did not answer within ${PROBE_MS} ms`
    return { error: new ParleyError({ code: 'store-unavailable', store, detail }).info }
  } catch (error) {
    return { error: toErrorInfo(error) }
  }
}
