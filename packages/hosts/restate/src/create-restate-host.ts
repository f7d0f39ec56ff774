import {
  checkNumber,
  ParleyError,
  systemClock,
  type LiveBus,
  type Store,
  checkOptions,
  type OptionKinds,
} from '@parley/core'
import { createRuntime, type RuntimeOptions } from '@parley/engine'
import type { LoggerTransport, NodeEndpointOptions } from '@restatedev/restate-sdk'
import { createRunWorkflow } from './run-workflow.ts'
import { createSessionObject } from './session-object.ts'
import { openEndpoint, type Endpoint, type EndpointOptions } from './open-endpoint.ts'
import type { Worker } from './worker.ts'

/** Options of `createRuntime`, without those that Restate decides: which worker resumes a run, and when. */
export interface RestateHostOptions extends Omit<RuntimeOptions, 'store' | 'autoResume' | 'onClose' | 'isWorkerGone'> {
  /** Keeps the journals. All workers and clients share one store. */
  readonly store: Store
  /** Carries text deltas and tool progress to readers in other processes. @default none: readers get journal entries only */
  readonly live?: LiveBus | undefined
  /**
   * Longest time for one step or tool call, in milliseconds. After it, Restate repeats the operation on another worker. The
   * time of a child run counts only if it runs inside the call.
   * @default 3_600_000
   */
  readonly maxStepMs?: number | undefined
  /** Milliseconds for which Restate keeps its data of an ended run. The store keeps the journal. @default 86_400_000 */
  readonly retentionMs?: number | undefined
  /** Receives log lines of the Restate SDK. @default none */
  readonly logger?: LoggerTransport | undefined
}

/** Options of `RestateHost.close`. */
export interface CloseHostOptions {
  /** Milliseconds that running steps may take to finish. After them the worker releases their runs. @default 10_000 */
  readonly drainMs?: number | undefined
}

/** A worker: takes the steps of the runs that Restate sends to it. */
export interface RestateHost extends AsyncDisposable {
  /** Services for your own endpoint (`createEndpointHandler`, Lambda, …), together with your other services. */
  readonly services: NodeEndpointOptions['services']
  /**
   * Opens a port, on which Restate sends runs to this worker over HTTP/2.
   * @throws ParleyError `config-invalid` if the address is not available, `runtime-closed` after `close`.
   */
  listen(options?: EndpointOptions): Promise<Endpoint>
  /**
   * Starts no more steps, waits for running steps up to `drainMs`, and releases the rest: other workers continue them.
   * Cancels no run. Idempotent.
   */
  close(options?: CloseHostOptions): Promise<void>
}

/** The types of the host's options. `createRuntime` checks those that it shares with the host. */
const OPTIONS: OptionKinds<RestateHostOptions> = {
  store: 'store!',
  live: 'object',
  maxStepMs: 'number',
  retentionMs: 'number',
  logger: 'function',
  agents: 'any',
  models: 'any',
  providers: 'any',
  tools: 'any',
  defaults: 'any',
  quota: 'any',
  bus: 'any',
  resources: 'any',
  worker: 'any',
  leaseMs: 'any',
  retention: 'any',
  captureRequests: 'any',
  onUnreadFailure: 'any',
  clock: 'any',
}

/**
 * Creates a worker whose runs Restate schedules. Restate starts and cancels them, repeats operations after a crash, and
 * wakes suspended runs. It runs one run at a time in each session. The state of a run is only in the journal of the
 * store.
 * @throws ParleyError What `createRuntime` throws, and `config-invalid` if a time is not a whole number of
 * milliseconds.
 */
export function createRestateHost(options: RestateHostOptions): RestateHost {
  checkOptions('createRestateHost', options, OPTIONS)
  const { live, logger, maxStepMs = 3_600_000, retentionMs = 86_400_000, ...runtimeOptions } = options
  checkTimes({ maxStepMs, retentionMs })
  const { store, clock = systemClock } = options
  const runtime = createRuntime(runtimeOptions)
  const worker: Worker = { runtime, store, clock, live, maxStepMs, held: new Map(), closing: false }
  const services = [createRunWorkflow(worker, retentionMs), createSessionObject(retentionMs)]
  const endpoints = new Set<Endpoint>()
  let closed: Promise<void> | undefined

  async function close({ drainMs = 10_000 }: CloseHostOptions): Promise<void> {
    worker.closing = true
    const runs = [...worker.held.values()]
    const late = Promise.withResolvers<void>()
    const callOff = clock.after(drainMs, late.resolve)
    await Promise.race([Promise.all(runs.map(run => run.settled())), late.promise])
    callOff()
    await Promise.all([...worker.held.values()].map(run => run.release()))
    await Promise.all([...endpoints].map(endpoint => endpoint[Symbol.asyncDispose]()))
    await runtime.close({ drainMs: 0 })
  }

  return {
    services,
    async listen(endpointOptions = {}) {
      if (worker.closing) throw new ParleyError({ code: 'runtime-closed' })
      const endpoint = await openEndpoint({ services, logger: logger ?? (() => {}) }, endpointOptions)
      endpoints.add(endpoint)
      return endpoint
    },
    close: (closeOptions = {}) => {
      checkTimes({ ...closeOptions })
      closed ??= close(closeOptions)
      return closed
    },
    [Symbol.asyncDispose]() {
      closed ??= close({})
      return closed
    },
  }
}

function checkTimes(times: Readonly<Record<string, number | undefined>>): void {
  for (const [path, value] of Object.entries(times))
    checkNumber({ path, value, min: 0, whole: true, unit: 'milliseconds' })
}
