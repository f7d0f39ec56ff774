import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Store } from '@parley/core'
import { createRuntime, type Agent, type Run, type Runtime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { finishScenario, rootRuns } from './finish-scenario.ts'
import type { World } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { answering, stoppableStore, type DeathPoint } from './stoppable-store.ts'

/** The database that holds the journals of a matrix. */
export type Place =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string; readonly schema: string }

/** The task of one process. */
export interface WorkOrder {
  readonly place: Place
  /** The file that gets a line for each effect of a handler. */
  readonly effects: string
  /** The sessions to drive, one after another. */
  readonly sessions: readonly SessionOrder[]
}

export interface SessionOrder {
  readonly scenario: string
  readonly sessionId: string
  /**
   * The point at which the session stops: from then on, nothing of it reaches the store or the file of effects. The process is
   * killed with SIGKILL when its last session has reached this point, or has ended.
   * @default The session is finished.
   */
  readonly death?: DeathPoint | undefined
}

/** The result of a session. */
export interface SessionReport {
  readonly appends: number
  readonly status: string
  readonly transcript: readonly unknown[]
  readonly error?: string | undefined
}

function openStore(place: Place): Promise<Store> {
  if (place.type === 'sqlite') return openSqliteStore({ path: place.path, busyTimeoutMs: 20_000 })
  return openPostgresStore({ url: place.url, schema: place.schema, connections: 2 })
}

function isGone(worker: string): boolean {
  try {
    return worker !== String(process.pid) && !process.kill(Number(worker), 0)
  } catch {
    return true
  }
}

/** Drives a session. @returns `undefined` if the session stopped at its point of death. */
async function driveSession(order: WorkOrder, kept: Store, index: number): Promise<SessionReport | undefined> {
  const { scenario: wanted, sessionId = '', death } = order.sessions[index] ?? {}
  const scenario = scenarios.find(({ name }) => name === wanted)
  if (scenario === undefined) throw new Error(`unknown scenario ${wanted}`)
  const stopped = Promise.withResolvers<undefined>()
  let hasStopped = false
  const isDead = (): boolean => hasStopped
  const kill = (): void => {
    hasStopped = true
    writeSync(1, `${index}\n`)
    if (index === order.sessions.length - 1) process.kill(process.pid, 'SIGKILL')
    stopped.resolve(undefined)
  }
  const store = stoppableStore(kept, { death, kill, isDead })
  let current: Run | undefined
  const driven = (): Run => {
    if (current === undefined) throw new Error('no run has started')
    return current
  }
  const world: World = {
    runtime: () => runtime,
    elsewhere: () => elsewhere,
    run: driven,
    effect: key => {
      if (hasStopped) throw new Error('the process was killed')
      appendFileSync(order.effects, `${key}\n`)
    },
    happened: key => existsSync(order.effects) && readFileSync(order.effects, 'utf8').split('\n').includes(key),
    memory: () => store.notes ?? none(),
    has: async type => (await store.read(driven().runId)).some(entry => entry.type === type),
  }
  const elsewhere = createRuntime({ store: answering(kept, isDead) })
  const another = (agents: readonly Agent[] = scenario.agents(world)): Runtime =>
    createRuntime({
      store,
      agents,
      worker: String(process.pid),
      isWorkerGone: isGone,
      // Tools that fail are part of the scenarios.
      onUnreadFailure: () => {},
    })
  const runtime = another()
  const onRun = (run: Run): void => {
    current = run
  }
  const finish = async (): Promise<SessionReport> => {
    await finishScenario({ scenario, sessionId, runtime, store, onRun, another, done: new Set() })
    const last = (await rootRuns(store, sessionId)).at(-1)
    const { runId = '', status = 'none' } = last ?? {}
    const transcript = await runtime.transcript(runId)
    await runtime.close()
    return { appends: store.appends, status, transcript }
  }
  return Promise.race([finish(), stopped.promise])
}

function none(): never {
  throw new Error('the store does not support notes')
}

async function work(order: WorkOrder): Promise<readonly SessionReport[]> {
  await using store = await openStore(order.place)
  const reports: SessionReport[] = []
  for (const index of order.sessions.keys()) {
    try {
      const report = await driveSession(order, store, index)
      if (report !== undefined) reports.push(report)
    } catch (error) {
      reports.push({ appends: 0, status: 'broken', transcript: [], error: String(error) })
    }
  }
  if (order.sessions.some(({ death }) => death !== undefined)) process.kill(process.pid, 'SIGKILL')
  return reports
}

// With an argument, the process has one order. Without it, each line that it reads is an order, and gets a line with the reports.
const [, , only] = process.argv
const orders = only === undefined ? createInterface({ input: process.stdin }) : [only]
for await (const each of orders) process.stdout.write(`${JSON.stringify(await work(JSON.parse(each) as WorkOrder))}\n`)
