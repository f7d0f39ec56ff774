import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Store } from '@parley/core'
import { createRuntime, type Agent, type Run, type Runtime } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { finishScenario, rootRuns } from './finish-scenario.ts'
import { mortalStore, type DeathPoint } from './mortal-store.ts'
import type { World } from './scenario.ts'
import { scenarios } from './scenarios.ts'

/** The database that holds the journals of a matrix. */
export type Place =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string; readonly schema: string }

/** The task of one process. */
export interface WorkOrder {
  readonly place: Place
  /** The file that gets a line for each effect of a handler. */
  readonly effects: string
  readonly scenario: string
  /** The sessions to finish, one after another. */
  readonly sessions: readonly string[]
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

async function finishSession(order: WorkOrder, kept: Store, sessionId: string): Promise<SessionReport> {
  const scenario = scenarios.find(({ name }) => name === order.scenario)
  if (scenario === undefined) throw new Error(`unknown scenario ${order.scenario}`)
  const store = mortalStore(kept, order.death)
  let current: Run | undefined
  const driven = (): Run => {
    if (current === undefined) throw new Error('no run has started')
    return current
  }
  const world: World = {
    runtime: () => runtime,
    elsewhere: () => elsewhere,
    run: driven,
    effect: key => appendFileSync(order.effects, `${key}\n`),
    happened: key => existsSync(order.effects) && readFileSync(order.effects, 'utf8').split('\n').includes(key),
    memory: () => kept.notes ?? none(),
    has: async type => (await store.read(driven().runId)).some(entry => entry.type === type),
  }
  const elsewhere = createRuntime({ store: kept })
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
  await finishScenario({ scenario, sessionId, runtime, store, onRun, another, done: new Set() })
  const last = (await rootRuns(store, sessionId)).at(-1)
  const { runId = '', status = 'none' } = last ?? {}
  const transcript = await runtime.transcript(runId)
  await runtime.close()
  return { appends: store.appends, status, transcript }
}

function none(): never {
  throw new Error('the store does not support notes')
}

async function work(order: WorkOrder): Promise<readonly SessionReport[]> {
  await using store = await openStore(order.place)
  const reports: SessionReport[] = []
  for (const sessionId of order.sessions) {
    try {
      reports.push(await finishSession(order, store, sessionId))
    } catch (error) {
      reports.push({ appends: 0, status: 'broken', transcript: [], error: String(error) })
    }
  }
  return reports
}

process.stdout.write(JSON.stringify(await work(JSON.parse(process.argv[2] ?? '') as WorkOrder)))
