import { createId, ParleyError, type UserMessage } from '@parley/core'
import { createChildRuns } from '../agents/create-child-runs.ts'
import { outermostRun } from '../agents/outermost-run.ts'
import type { Agent } from './agent.ts'
import { createAgentRegistry } from './agent-registry.ts'
import { createApprovalSweeper } from '../approval/approval-sweeper.ts'
import { createLease } from './lease.ts'
import { linkSignal } from '../run/link-signal.ts'
import { resumeRun } from '../run/resume-run.ts'
import type { Run } from '../run/run.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { RunOptions, Runtime, RuntimeOptions } from './runtime.ts'
import type { RuntimeContext } from './runtime-context.ts'
import { startRun } from '../run/start-run.ts'
import { systemClock } from './system-clock.ts'

/** @throws ParleyError `config-invalid` for two agents of one name, and what `defineAgent` throws. */
export function createRuntime({
  agents = [],
  store,
  clock = systemClock,
  worker = createId(clock.now()),
  isWorkerGone = () => false,
  leaseMs = 15_000,
}: RuntimeOptions = {}): Runtime {
  const active = new Map<string, RunHandle>()
  const children = createChildRuns(() => context, active)
  const context: RuntimeContext = { agents: createAgentRegistry(agents), store, clock, worker, isWorkerGone, children }
  const lease = store === undefined ? undefined : createLease({ store, worker, clock, leaseMs })
  const sweeper = createApprovalSweeper(clock, async runId => {
    track(await resumeRun(context, { runId, force: false }), undefined)
  })
  let closing: Promise<void> | undefined

  function track(run: RunHandle, signal: AbortSignal | undefined): Run {
    active.set(run.runId, run)
    const unlink = linkSignal(signal, reason => void run.cancel(reason))
    const release = lease?.hold(run)
    void run.result.then(result => {
      active.delete(run.runId)
      unlink()
      release?.()
      if (result.status === 'suspended' && closing === undefined) sweeper.watch(run.runId, result.approvals)
    })
    return run
  }

  /** The run to drive for the sake of the given one, idle. */
  async function findIdle(runId: string): Promise<string> {
    checkIdle(runId)
    const outermost = await outermostRun(store, runId)
    if (outermost !== runId) checkIdle(outermost)
    return outermost
  }

  function checkIdle(runId: string): void {
    checkOpen()
    if (active.has(runId)) throw new ParleyError({ code: 'run-busy', runId, worker })
  }

  function checkOpen(): void {
    if (closing !== undefined) throw new ParleyError({ code: 'runtime-closed' })
  }

  async function close(drainMs: number): Promise<void> {
    if (active.size > 0) {
      const drained = Promise.withResolvers<void>()
      const callOff = clock.after(drainMs, drained.resolve)
      await Promise.race([Promise.all([...active.values()].map(run => run.result)), drained.promise])
      callOff()
      await Promise.all([...active.values()].map(run => run.cancel({ kind: 'shutdown' })))
    }
    sweeper.close()
    lease?.close()
  }

  return {
    run<TOutput>(agent: string | Agent<TOutput>, input: string | UserMessage, options: RunOptions = {}) {
      checkOpen()
      // What the agent's output schema lets through has its type.
      return track(startRun(context, { agent, input, options }), options.signal) as Run<TOutput>
    },
    async resume(runId, { force = false, signal } = {}) {
      return track(await resumeRun(context, { runId: await findIdle(runId), force }), signal)
    },
    async decide(runId, approvalId, { decision, by, force = false, signal }) {
      const decided = { approvalId, decision, by }
      return track(await resumeRun(context, { runId: await findIdle(runId), force, decided }), signal)
    },
    runs: async (query = {}) => (store === undefined ? [] : store.runs({ scope: 'default', ...query })),
    close: ({ drainMs = 30_000 } = {}) => (closing ??= close(drainMs)),
    [Symbol.asyncDispose]: () => (closing ??= close(30_000)),
  }
}
