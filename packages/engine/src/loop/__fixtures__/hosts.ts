import type { CancelReason, Store } from '@parley/core'
import type { CallUpdate, ChildOrder, DurableHost, Ending, PendingCall, Steps } from '../../host.ts'
import type { Run, Runtime } from '../../index.ts'
import { loadRun } from '../../journal.ts'

/** Takes the steps in this process, one after another. */
export const plainHost: DurableHost = {
  async drive(steps) {
    for (;;) {
      const ending = await steps.take()
      if (ending !== undefined) return ending
    }
  },
}

/** The recorded operations of a run, by name. */
export type OperationLog = Map<string, unknown>

/**
 * Records the result of each operation, and repeats only unrecorded operations in a later attempt. A suspension is not
 * recorded, because a resumed run continues after it. `asked` is called with the name of every operation, `begin`
 * before each one that is not recorded.
 */
export function recordingHost(
  log: OperationLog,
  { begin = () => {}, asked = () => {} }: { begin?: () => void; asked?: (name: string) => void } = {},
): DurableHost {
  async function once<TValue>(name: string, operation: () => Promise<TValue>): Promise<TValue> {
    asked(name)
    if (log.has(name)) return log.get(name) as TValue
    begin()
    const value = await operation()
    log.set(name, value)
    return value
  }
  return {
    async drive(steps) {
      for (let index = 1; ; index++) {
        const { ending, batches } = await once(`step ${index}`, async () => {
          const open = steps.openCalls()
          if (open !== undefined) return { batches: open }
          const taken = await steps.take()
          await steps.commit()
          return { ending: taken, batches: steps.openCalls() }
        })
        if (ending?.status === 'suspended') log.delete(`step ${index}`)
        if (ending !== undefined) return ending
        for (const batch of batches ?? []) {
          const calls = batch.map(({ callId, name }) => once(`${name} ${callId} ${index}`, () => steps.call(callId)))
          await Promise.allSettled(calls)
          await Promise.all(calls)
        }
      }
    },
  }
}

export interface ChildRunnerOptions {
  readonly runtime: Runtime
  readonly store: Store
  readonly runId: string
  /** Aborted with a `CancelReason` when the run is cancelled. */
  readonly signal: AbortSignal
}

/** Runs each call as a separate operation. Its child runs run in the same runtime, each with a host of this kind. */
export function childRunningHost(options: ChildRunnerOptions): DurableHost {
  return { runsChildren: true, drive: steps => new ChildRunner(options, steps).drive() }
}

class ChildRunner {
  readonly #options: ChildRunnerOptions
  readonly #steps: Steps

  constructor(options: ChildRunnerOptions, steps: Steps) {
    this.#options = options
    this.#steps = steps
  }

  async drive(): Promise<Ending> {
    for (;;) {
      const batches = this.#steps.openCalls() ?? []
      for (const batch of batches) await Promise.all(batch.map(({ callId }) => this.#call(callId)))
      const ending = await this.#steps.take()
      await this.#steps.commit()
      if (ending !== undefined) return ending
    }
  }

  /** Runs a call until it has its result, or until one of its child runs is suspended. */
  async #call(callId: string): Promise<void> {
    let update: CallUpdate = {}
    for (;;) {
      const pending: PendingCall | undefined = await this.#steps.call(callId, update)
      if (pending === undefined) return
      const suspended = await Promise.all(pending.children.map(child => this.#runChild(child)))
      if (suspended.includes(true)) return
      update = {}
    }
  }

  /** Drives a child run until it ends or is suspended. Returns whether it is suspended. */
  async #runChild(child: ChildOrder): Promise<boolean> {
    const { signal } = this.#options
    const run = await this.#openChild(child)
    const cancel = (): void => void run.cancel(signal.reason as CancelReason)
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel)
    const { status } = await run.result
    signal.removeEventListener('abort', cancel)
    if (status === 'suspended') await this.#steps.childSuspended(child.runId)
    return status === 'suspended'
  }

  /** Starts a child run, or resumes it with the decision that it waits for. */
  async #openChild({ agent, input, ...order }: ChildOrder): Promise<Run> {
    const { runtime, store } = this.#options
    const { runId, parent } = order
    const host = childRunningHost({ ...this.#options, runId })
    if ((await store.run(runId)) === undefined) return runtime.run(agent, input, { ...order, host })
    const decided = await this.#decisionFor(runId)
    if (decided === undefined) return runtime.resume(runId, { parent, host, force: true })
    return runtime.decide(runId, decided.approvalId, { ...decided, parent, host, force: true })
  }

  async #decisionFor(childRunId: string) {
    const { calls = [] } = await loadRun(this.#options.store, this.#options.runId)
    const children = calls.flatMap(({ children: started = [] }) => started)
    return children.find(({ runId }) => runId === childRunId)?.decisions.at(-1)
  }
}
