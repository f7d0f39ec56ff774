import {
  checkOptions,
  type ApprovalDecision,
  type CancelReason,
  type OptionKinds,
  type Store,
  type Submission,
} from '@parley/core'
import type { HostAgent, HostOrder, HostProcess, HostWorker } from './host-worker.ts'

/** The part of a `Run` of `@parley/engine` that the suite needs. */
export interface HostedRun {
  readonly result: Promise<unknown>
  cancel(reason: CancelReason): Promise<void>
}

/** The part of a `Runtime` of `@parley/engine` that the suite needs. */
export interface HostedRuntime<THost> {
  run(agent: string, input: string, options: HostedRunOptions<THost>): HostedRun
  resume(runId: string, options: { readonly host: THost; readonly force: boolean }): Promise<HostedRun>
  decide(
    runId: string,
    approvalId: string,
    options: { readonly decision: ApprovalDecision | Submission; readonly host: THost; readonly force: boolean },
  ): Promise<HostedRun>
  close(options: { readonly onClose: 'suspend'; readonly drainMs: number }): Promise<unknown>
}

/** Options of `HostedRuntime.run`. */
export interface HostedRunOptions<THost> {
  readonly runId: string
  readonly sessionId: string
  readonly host?: THost | undefined
}

/** The objects with which a host drives one run of the suite. */
export interface HostContext<TRuntime> {
  readonly runtime: TRuntime
  readonly store: Store
  readonly runId: string
  /** Aborted when the suite cancels the run. Its reason is the `CancelReason`. */
  readonly signal: AbortSignal
}

/** The type of the hosts that a runtime takes: `DurableHost`. */
export type HostOf<TRuntime> = TRuntime extends HostedRuntime<infer THost> ? THost : never

/** Options of `createHostWorkers`. */
export interface DurableHostWorkersOptions<TRuntime extends HostedRuntime<never>> {
  /** `createRuntime` of `@parley/engine`. */
  readonly createRuntime: (options: { readonly agents: readonly never[]; readonly store: Store }) => TRuntime
  /** `defineAgent` of `@parley/engine`. */
  readonly defineAgent: (agent: HostAgent) => unknown
  /** Creates the host that drives one run in one process. */
  readonly createHost: (context: HostContext<TRuntime>) => HostOf<TRuntime>
}

const OPTIONS: OptionKinds<DurableHostWorkersOptions<HostedRuntime<never>>> = {
  createRuntime: 'function!',
  defineAgent: 'function!',
  createHost: 'function!',
}

/** Opens processes for `describeHostContract` whose runs a `DurableHost` of `@parley/engine/host` drives. */
export function createHostWorkers<TRuntime extends HostedRuntime<never>>(options: DurableHostWorkersOptions<TRuntime>) {
  checkOptions('createHostWorkers', options, OPTIONS)
  const { createRuntime, defineAgent, createHost } = options
  type Host = HostOf<TRuntime>
  const runtimeOf = ({ agents, store }: HostProcess): TRuntime =>
    // This package does not know the type of agents.
    createRuntime({ agents: agents.map(agent => defineAgent(agent)) as never[], store })

  function startWorker(process: HostProcess): HostWorker {
    const own = runtimeOf(process)
    // TypeScript cannot see that the runtime takes the hosts that its own options name.
    const runtime = own as unknown as HostedRuntime<Host>
    const driven = new Map<string, { readonly run: HostedRun; readonly canceller: AbortController }>()
    async function drive(runId: string, begin: (host: Host) => HostedRun | Promise<HostedRun>): Promise<void> {
      const canceller = new AbortController()
      const run = await begin(createHost({ runtime: own, store: process.store, runId, signal: canceller.signal }))
      driven.set(runId, { run, canceller })
      await run.result
    }
    return {
      start: ({ agent, input, ...order }) => drive(order.runId, host => runtime.run(agent, input, { ...order, host })),
      resume: runId => drive(runId, host => runtime.resume(runId, { host, force: true })),
      decide: (runId, approvalId, decision) =>
        drive(runId, host => runtime.decide(runId, approvalId, { decision, host, force: true })),
      async cancel(runId, reason) {
        driven.get(runId)?.canceller.abort(reason)
        await driven.get(runId)?.run.cancel(reason)
      },
      async release() {
        await runtime.close({ onClose: 'suspend', drainMs: 0 })
      },
    }
  }

  async function runWithoutHost(process: HostProcess, { agent, input, ...order }: HostOrder): Promise<void> {
    await runtimeOf(process).run(agent, input, order).result
  }

  return { startWorker, runWithoutHost }
}
