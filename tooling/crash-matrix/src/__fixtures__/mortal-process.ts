import type { Store } from '@parley/core'
import { createRuntime, type Agent, type Run, type Runtime } from '@parley/engine'
import { finishScenario, rootRuns } from './finish-scenario.ts'
import type { SessionReport } from './matrix-worker.ts'
import type { Scenario, World } from './scenario.ts'
import { stoppableStore, type DeathPoint } from './stoppable-store.ts'

/** The data that survives when the processes of a scenario are stopped. */
export interface Ground {
  readonly store: Store
  readonly scenario: Scenario
  /** How often each handler ran, by idempotency key. */
  readonly executions: Map<string, number>
  /** Workers that were killed. */
  readonly gone: Set<string>
  /** What the client of a session has done, by session. */
  readonly done: Map<string, Set<string>>
}

let count = 0

/**
 * Drives a session in a process that exists only as a store: at `death` the store stops for good. Every later call of the
 * process stays unanswered, as if the process had been killed.
 * @returns `undefined` if the process was killed.
 */
export async function driveSession(
  { store: kept, scenario, executions, gone, done }: Ground,
  sessionId: string,
  death?: DeathPoint,
): Promise<SessionReport | undefined> {
  const worker = `process-${++count}`
  const workers: string[] = []
  const killed = Promise.withResolvers<undefined>()
  let isDead = false
  let current: Run | undefined
  const kill = (): void => {
    isDead = true
    for (const each of workers) gone.add(each)
    killed.resolve(undefined)
  }
  const store = stoppableStore(kept, { death, kill, isDead: () => isDead })
  const driven = (): Run => current ?? fail('no run has started')
  const world: World = {
    runtime: () => runtime,
    elsewhere: () => elsewhere,
    run: driven,
    effect: key => {
      if (isDead) fail('the process was killed')
      executions.set(key, (executions.get(key) ?? 0) + 1)
    },
    happened: key => executions.has(key),
    memory: () => kept.notes ?? fail('the store has no notes'),
    has: async type => (await store.read(driven().runId)).some(entry => entry.type === type),
  }
  const open: Runtime[] = []
  const another = (agents: readonly Agent[] = scenario.agents(world)): Runtime => {
    const name = `${worker}-${workers.length}`
    workers.push(name)
    const opened = createRuntime({ store, agents, worker: name, isWorkerGone: each => gone.has(each) })
    open.push(opened)
    return opened
  }
  const runtime = another()
  const elsewhere = createRuntime({ store: kept })
  const memory = done.get(sessionId) ?? new Set()
  done.set(sessionId, memory)

  async function work(): Promise<SessionReport> {
    try {
      const onRun = (run: Run): void => {
        current = run
      }
      await finishScenario({ scenario, sessionId, runtime, store, onRun, another, done: memory })
      const { runId = '', status = 'none' } = (await rootRuns(store, sessionId)).at(-1) ?? {}
      return { appends: store.appends, status, transcript: await runtime.transcript(runId) }
    } catch (error) {
      return { appends: store.appends, status: 'broken', transcript: [], error: String(error) }
    }
  }
  const report = await Promise.race([work(), killed.promise])
  if (report !== undefined) for (const each of open) await each.close()
  return report
}

function fail(message: string): never {
  throw new Error(message)
}
