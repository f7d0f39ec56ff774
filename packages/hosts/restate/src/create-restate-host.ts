import { ParleyError, systemClock, type LiveBus, type Store } from '@parley/core'
import { createRuntime, type RuntimeOptions } from '@parley/engine'
import type { LoggerTransport, NodeEndpointOptions } from '@restatedev/restate-sdk'
import { createRunWorkflow } from './run-workflow.ts'
import { createSessionObject } from './session-object.ts'
import { openEndpoint, type Endpoint, type EndpointOptions } from './open-endpoint.ts'
import type { Worker } from './worker.ts'

/** What the runtime of a host is given: Restate says who resumes what, and when. */
export interface RestateHostOptions extends Omit<RuntimeOptions, 'store' | 'autoResume' | 'onClose' | 'isWorkerGone'> {
  /** The journals: one store that all workers share. */
  readonly store: Store
  /** Carries pieces of answers and progress of tools to watchers in other processes. @default nobody sees them */
  readonly live?: LiveBus | undefined
  /**
   * Longest time one step or call may take before Restate gives its worker up and repeats it elsewhere. What a sub-agent's run
   * takes counts only where it goes on within the call.
   * @default 3_600_000
   */
  readonly maxStepMs?: number | undefined
  /** How long Restate keeps what it knows of an ended run. The journal is kept by the store. @default 86_400_000 */
  readonly retentionMs?: number | undefined
  /** Takes the lines the SDK logs. @default nothing is logged */
  readonly logger?: LoggerTransport | undefined
}

export interface CloseHostOptions {
  /** How long steps under way may go on to their end. @default 10_000 */
  readonly drainMs?: number | undefined
}

/** A worker: takes the steps of whatever runs Restate sends it. */
export interface RestateHost extends AsyncDisposable {
  /** For an endpoint of your own (`createEndpointHandler`, Lambda, …), beside other services. */
  readonly services: NodeEndpointOptions['services']
  /**
   * Serves Restate over HTTP/2.
   * @throws ParleyError `config-invalid` for an address that cannot be listened at.
   */
  listen(options?: EndpointOptions): Promise<Endpoint>
  /**
   * Begins no more steps, lets those under way end, and lets go of what is left: Restate has another worker go on.
   * Nothing is cancelled. Idempotent.
   */
  close(options?: CloseHostOptions): Promise<void>
}

/**
 * A runtime whose runs Restate schedules: it has them begun, repeated after a crash, woken and cancelled, one at a time in
 * each session. What a run has come to is in the journal of the store alone.
 * @throws ParleyError What `createRuntime` throws, and `config-invalid` for a time that makes no sense.
 */
export function createRestateHost(options: RestateHostOptions): RestateHost {
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
    await Promise.all([...worker.held.values()].map(run => run.letGo()))
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
  for (const [path, value] of Object.entries(times)) {
    if (value === undefined || (Number.isInteger(value) && value >= 0)) continue
    const detail = `it is ${value}, and has to be a whole number of milliseconds`
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
}
