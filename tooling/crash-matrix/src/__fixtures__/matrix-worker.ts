import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Store } from '@parley/core'
import { createRuntime, type Run } from '@parley/engine'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { finishScenario, outerRuns } from './finish-scenario.ts'
import { mortalStore, type DeathPoint } from './mortal-store.ts'
import { scenarios } from './scenarios.ts'

/** Where the journals of a matrix are. */
export type Place =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string; readonly schema: string }

/** What one process is for. */
export interface WorkOrder {
  readonly place: Place
  /** File that takes a line for each effect a handler has. */
  readonly effects: string
  readonly scenario: string
  /** Sessions to bring to their end, one after another. */
  readonly sessions: readonly string[]
  readonly death?: DeathPoint | undefined
}

/** What a session has come to. */
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
  if (scenario === undefined) throw new Error(`no scenario ${order.scenario}`)
  const store = mortalStore(kept, order.death)
  let current: Run | undefined
  const driven = (): Run => {
    if (current === undefined) throw new Error('nothing runs')
    return current
  }
  const agents = scenario.agents({
    runtime: () => runtime,
    elsewhere: () => elsewhere,
    run: driven,
    effect: key => appendFileSync(order.effects, `${key}\n`),
    happened: key => existsSync(order.effects) && readFileSync(order.effects, 'utf8').split('\n').includes(key),
    memory: () => kept.notes ?? none(),
    has: async type => (await store.read(driven().runId)).some(entry => entry.type === type),
  })
  const elsewhere = createRuntime({ store: kept })
  const runtime = createRuntime({ store, agents, worker: String(process.pid), isWorkerGone: isGone })
  const onRun = (run: Run): void => {
    current = run
  }
  await finishScenario({ scenario, sessionId, runtime, store, onRun })
  const last = (await outerRuns(store, sessionId)).at(-1)
  const { runId = '', status = 'none' } = last ?? {}
  const transcript = await runtime.transcript(runId)
  await runtime.close()
  return { appends: store.appends, status, transcript }
}

function none(): never {
  throw new Error('the store keeps no notes')
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
